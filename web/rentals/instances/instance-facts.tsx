import { rentedWords } from '../../core/actor-words.ts';
import type { Instance, InstanceChange, InstanceDetail } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import {
  formatAmount,
  formatCount,
  formatHourlyOfDay,
  formatPercent,
  formatShare,
} from '../../core/figures.ts';
import { countryName } from '../../parts/country.tsx';
import { Explain, explainQuery } from '../../parts/explain.tsx';
import { type Fact, Facts } from '../../parts/facts.tsx';
import { vramWords } from '../../parts/machine-facts.ts';
import { Moment } from '../../parts/moment.tsx';
import { EditInPlace } from './edit-in-place.tsx';
import { onceRunning } from './instance-rows.ts';
import { costWords, isListedSoon, runsLater } from './state-words.ts';

interface Props {
  app: App;
  detail: InstanceDetail;
  canAct: boolean;
  reload: () => void;
}

const unknown = 'unknown';
const cut = (text: string) => (
  <span class="cut" title={text}>
    {text}
  </span>
);

/** What an instance is and where; label and cost center can be changed in place. */
export function InstanceFacts({ app, detail: { instance, machine }, canAct, reload }: Props) {
  const { instanceId, machineId, hostId, diskGb, image, startedAt, createdAt, endedAt } = instance;
  const change =
    canAct && endedAt === null
      ? (body: InstanceChange) => app.api.updateInstance({ id: Number(instanceId), body }).then(reload)
      : null;
  const editable = (name: 'label' | 'costCenter', label: string) => (
    <EditInPlace
      app={app}
      label={label}
      name={name}
      value={instance[name]}
      save={change === null ? null : (value) => change({ [name]: value })}
    />
  );
  const facts: Fact[] = [
    ['label', 'Label', editable('label', 'Label')],
    ['costCenter', 'Cost center', editable('costCenter', 'Cost center')],
    [
      'machine',
      'Machine',
      machineId === null ? (
        unknown
      ) : machine === null ? (
        String(machineId)
      ) : (
        <a href={`/listings/${machine.listingId}`}>{machineId}</a>
      ),
    ],
    ['host', 'Host', hostId === null ? unknown : String(hostId)],
    ['country', 'Country', machine === null ? unknown : countryName(machine.country)],
    ['verification', 'Verification', machine?.verification ?? unknown],
    ['reliability', 'Reliability', machine === null ? unknown : formatShare(machine.reliability)],
    ['vram', 'VRAM', machine?.gpuRamMb == null ? unknown : vramWords(machine.gpuRamMb, instance.numGpus)],
    ['disk', 'Disk', diskGb === null ? unknown : `${formatCount(diskGb)} GB`],
    ['image', 'Image', image === null ? unknown : cut(image)],
    ...(endedAt === null
      ? ([['use', 'GPU utilization', formatPercent(instance.gpuUtilPercent, 0)]] satisfies Fact[])
      : []),
    ['since', 'Since', <Moment t={startedAt ?? createdAt} none={unknown} />],
    ['by', 'Rented', rentedWords(instance.rentedBy)],
    ...(endedAt === null ? [] : [['ended', 'Ended', <Moment t={endedAt} />] satisfies Fact]),
  ];
  return <Facts facts={facts} />;
}

/** Says that GPUs are not billed at the moment, if so. */
const nowWords = (price: string, isLess: boolean, state: string) =>
  isLess ? `${price}, only its disk${state === 'stopped' ? '' : ' until it runs'}` : price;

/** What an instance costs now and has cost so far, with what that is based on. */
export function CostFacts({ instance }: { instance: Instance }) {
  const { cost, billedUsdPerHour, runningUsdPerHour, stoppedUsdPerDay, quotedUsdPerHour, endedAt } = instance;
  const query =
    instance.instanceId === null ? null : explainQuery('instance', { instanceId: `${instance.instanceId}` });
  const perHour = (usd: string | null) => (usd === null ? unknown : `${formatAmount(usd, 4)}/hour`);
  const facts: Fact[] = [
    ['total', endedAt === null ? 'Cost so far' : 'Cost', <Explain query={query}>{costWords(cost)}</Explain>],
    ...(endedAt === null
      ? ([
          [
            'now',
            'Price now',
            isListedSoon(instance)
              ? `known in seconds, when the market lists it; agreed: ${perHour(quotedUsdPerHour)}`
              : billedUsdPerHour === null && runsLater(instance.state)
                ? 'known when the market lists it'
                : nowWords(perHour(billedUsdPerHour), onceRunning(instance) !== null, instance.state),
          ],
          ['running', 'While it runs', perHour(runningUsdPerHour)],
          [
            'stopped',
            'While stopped',
            stoppedUsdPerDay === null ? unknown : formatHourlyOfDay(stoppedUsdPerDay),
          ],
        ] satisfies Fact[])
      : []),
    ['quoted', 'Quoted at rent', quotedUsdPerHour === null ? '–' : perHour(quotedUsdPerHour)],
  ];
  return (
    <>
      <Facts facts={facts} />
      <p class="caption" data-basis>
        <CostBasis instance={instance} />
      </p>
    </>
  );
}

/** How much is billed and how much is estimated. */
function CostBasis({ instance: { cost, endedAt } }: { instance: Instance }) {
  const until = endedAt === null ? 'now' : 'its end';
  if (cost.chargedUsd === null) {
    return (
      <>
        Estimated until {until} by the listed prices: no bill has arrived yet. Traffic is not included.
        {cost.isLowerBound && ' A price was unknown for some time: it cost more.'}
      </>
    );
  }
  const estimated = String(Number(cost.usd) - Number(cost.chargedUsd));
  return (
    <>
      {formatAmount(cost.chargedUsd)} billed until <Moment t={cost.chargedUntil} relative={false} />;{' '}
      {formatAmount(estimated)} estimated from then until {until}.
      {cost.isLowerBound && ' A price was unknown for some time: it cost more.'}
    </>
  );
}
