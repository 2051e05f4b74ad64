import { listVolumes } from '../../../client/operations.js';
import type { Instance } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { formatCount } from '../../core/figures.ts';
import { pathTo } from '../../core/path-to.ts';
import { useAnswer } from '../../core/use-answer.ts';
import { countryName } from '../../parts/country.tsx';
import { type Fact, Facts } from '../../parts/facts.tsx';
import { Moment } from '../../parts/moment.tsx';
import { gpusOf } from './instance-rows.ts';

/** Names the instance that a destroy deletes, with its data and its volumes. */
export function WhatDies({ app, instance }: { app: App; instance: Instance }) {
  const { instanceId, label, machineId, hostId, country, diskGb, image, startedAt, createdAt } = instance;
  const facts: Fact[] = [
    [
      'label',
      'Label',
      label === null ? (
        'none'
      ) : (
        <span class="cut" title={label}>
          {label}
        </span>
      ),
    ],
    ['id', 'Instance', String(instanceId)],
    ['gpus', 'GPUs', gpusOf(instance)],
    ['machine', 'Machine', machineId === null ? 'unknown' : String(machineId)],
    ['host', 'Host', hostId === null ? 'unknown' : String(hostId)],
    ['country', 'Country', countryName(country)],
    ['image', 'Image', image ?? 'unknown'],
    ['since', 'Since', <Moment t={startedAt ?? createdAt} none="unknown" />],
  ];
  return (
    <>
      <Facts facts={facts} />
      <p class="failure" data-lost>
        All data on its disk{diskGb === null ? '' : ` (${formatCount(diskGb)} GB rented)`} is deleted for
        good, and charges end. This cannot be undone.
      </p>
      <Volumes app={app} instanceIds={[instanceId]} />
    </>
  );
}

interface VolumesProps {
  app: App;
  instanceIds: readonly (number | null)[];
}

/** The volumes of instances, which stay when these are destroyed. */
export function Volumes({ app, instanceIds }: VolumesProps) {
  const { data, problem } = useAnswer(app, pathTo(listVolumes, {}));
  if (data === null) {
    return (
      <p class="soft" data-volumes="unknown">
        {problem === null
          ? 'Looking for attached volumes…'
          : 'Whether volumes are attached is unknown: the market does not list them now.'}
      </p>
    );
  }
  const attached = data.items.filter(({ instanceIds: of }) => of?.some((id) => instanceIds.includes(id)));
  const isUnstated = data.items.some(({ instanceIds: of }) => of === null);
  if (attached.length === 0) {
    return (
      <p class="soft" data-volumes={isUnstated ? 'unknown' : 'none'}>
        {isUnstated
          ? 'Volumes stay. The market does not say which instance they are attached to.'
          : 'No volume is attached.'}
      </p>
    );
  }
  return (
    <p class="soft" data-volumes="kept">
      {attached
        .map(({ volumeId, sizeGb }) => `Volume ${volumeId}${sizeGb === null ? '' : ` (${sizeGb} GB)`}`)
        .join(', ')}{' '}
      stays, and is charged until you delete it under <a href="/volumes">Volumes</a>.
    </p>
  );
}
