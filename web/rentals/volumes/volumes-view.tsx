import { useState } from 'preact/hooks';
import { listVolumeOffers, listVolumes } from '../../../client/operations.js';
import type { Volume, VolumeOffer } from '../../core/api.ts';
import { formatCount, formatShare, formatUsd } from '../../core/figures.ts';
import { pathTo } from '../../core/path-to.ts';
import { reasonFor, renting } from '../../core/permission.ts';
import { useAnswer } from '../../core/use-answer.ts';
import { AccountTabs } from '../../parts/account-tabs.tsx';
import { Reason } from '../../parts/allowed.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { DeleteDialog } from '../../parts/delete-dialog.tsx';
import { FirstRows } from '../../parts/first-rows.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Awaited, Notice } from '../../parts/notice.tsx';
import type { ViewProps } from '../../parts/view.ts';
import { ViewHead } from '../../parts/view-head.tsx';
import { MachineName } from './machine-name.tsx';
import { MakeVolume } from './make-volume.tsx';

const keeping = { ...renting, to: 'create or delete volumes' };

/** Storage independent of instances: the account's volumes, and offers for new ones. */
export function VolumesView({ app }: ViewProps) {
  const volumes = useAnswer(app, pathTo(listVolumes, {}));
  const offers = useAnswer(app, pathTo(listVolumeOffers, {}));
  const [making, setMaking] = useState<VolumeOffer | null>(null);
  const [ending, setEnding] = useState<Volume | null>(null);
  const reason = reasonFor(app, keeping);
  const done = () => {
    setMaking(null);
    setEnding(null);
    volumes.reload();
    offers.reload();
  };
  return (
    <>
      <ViewHead title="Volumes">
        <AccountTabs path="/volumes" />
        {reason !== null && <Reason>{reason}</Reason>}
      </ViewHead>
      <section class="card" aria-label="Volumes" id="volumes">
        <Awaited answer={volumes} what="the volumes">
          {({ items }) =>
            items.length === 0 ? (
              <Notice title="No volumes">
                A volume keeps data on one machine while instances come and go. Choose storage below.
              </Notice>
            ) : (
              <VolumeTable items={items} end={reason === null ? setEnding : null} />
            )
          }
        </Awaited>
      </section>
      <section class="card" aria-label="Available storage" id="volume-offers">
        <h2>
          Available storage
          <small>cheapest first, then largest; a volume costs money from its creation</small>
        </h2>
        <Awaited answer={offers} what="the storage">
          {({ items }) => <OfferTable items={items} make={reason === null ? setMaking : null} />}
        </Awaited>
      </section>
      {making !== null && <MakeVolume app={app} offer={making} done={done} close={() => setMaking(null)} />}
      {ending !== null && (
        <DeleteDialog
          app={app}
          title={`Delete volume ${ending.volumeId}?`}
          remove={() => app.api.deleteVolume({ id: ending.volumeId })}
          said={`Volume ${ending.volumeId} deleted.`}
          done={done}
          close={() => setEnding(null)}
        >
          {ending.sizeGb === null ? 'Everything' : `Everything on its ${formatCount(ending.sizeGb)} GB`} is
          lost and charges end. This cannot be undone.
        </DeleteDialog>
      )}
    </>
  );
}

/** What the button of a row does; null: the reader may not. */
type Act<T> = ((row: T) => void) | null;

function VolumeTable({ items, end }: { items: readonly Volume[]; end: Act<Volume> }) {
  return (
    <DataTable
      label="List of volumes"
      id="volume-table"
      stacks
      rows={items}
      keyOf={({ volumeId }) => String(volumeId)}
      columns={[
        { head: 'Volume', heads: true, cell: ({ volumeId }) => volumeId },
        {
          head: 'GB',
          number: true,
          field: 'sizeGb',
          value: ({ sizeGb }) => sizeGb,
          cell: ({ sizeGb }) => (sizeGb === null ? '–' : formatCount(sizeGb)),
        },
        { head: 'Machine', cell: (volume) => <MachineName {...volume} /> },
        { head: 'State', cell: ({ status }) => status ?? 'not stated' },
        {
          head: 'Used by',
          cell: ({ instanceIds }) =>
            instanceIds === null
              ? 'not stated'
              : instanceIds.length === 0
                ? 'nothing'
                : instanceIds.join(', '),
        },
        { head: 'Created', cell: ({ startedAt }) => <Moment t={startedAt} /> },
        ...actionColumn(end, 'Delete…', ({ volumeId }) => `Delete volume ${volumeId}`),
      ]}
    />
  );
}

/** Returns a column with one button a row, as a list; empty if the reader may not act. */
const actionColumn = <T,>(act: Act<T>, label: string, nameOf: (row: T) => string): Column<T>[] =>
  act === null
    ? []
    : [
        {
          head: 'Actions',
          actions: true,
          cell: (row) => (
            <button
              type="button"
              class={label.startsWith('Delete') ? 'small danger' : 'small'}
              aria-label={nameOf(row)}
              onClick={() => act(row)}
            >
              {label}
            </button>
          ),
        },
      ];

function OfferTable({ items, make }: { items: readonly VolumeOffer[]; make: Act<VolumeOffer> }) {
  if (items.length === 0) return <p class="caption">No machine offers storage for volumes right now.</p>;
  const price = ({ storageUsdPerGbMonth: usd }: VolumeOffer) => usd ?? Number.POSITIVE_INFINITY;
  const room = ({ diskSpaceGb }: VolumeOffer) => diskSpaceGb ?? 0;
  const sorted = items.toSorted((a, b) => price(a) - price(b) || room(b) - room(a));
  return (
    <FirstRows rows={sorted} first="The cheapest" noun="offer">
      {(rows) => (
        <DataTable
          label="List of storage offers"
          id="volume-offer-table"
          compact
          rows={rows}
          keyOf={({ volumeOfferId }) => String(volumeOfferId)}
          columns={[
            { head: 'Machine', heads: true, cell: (offer) => <MachineName {...offer} /> },
            {
              head: '$/GB-month',
              number: true,
              field: 'storageUsdPerGbMonth',
              class: () => 'main',
              value: ({ storageUsdPerGbMonth }) => storageUsdPerGbMonth,
              cell: ({ storageUsdPerGbMonth }) => formatUsd(storageUsdPerGbMonth),
            },
            {
              head: 'Available, GB',
              number: true,
              cell: ({ diskSpaceGb }) => (diskSpaceGb === null ? '–' : formatCount(Math.floor(diskSpaceGb))),
            },
            { head: 'Reliability', number: true, cell: ({ reliability }) => formatShare(reliability) },
            ...actionColumn(make, 'Create…', ({ machineId }) => `Create a volume on machine ${machineId}`),
          ]}
        />
      )}
    </FirstRows>
  );
}
