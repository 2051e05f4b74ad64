import type { Budget, Channel, Instance } from '../core/api.ts';
import { endsSoon } from '../core/ending-words.ts';
import { countOf, formatAmount, formatCount, formatHourlyOfDay, formatUsd } from '../core/figures.ts';
import { formatExpected, formatLength } from '../core/times.ts';
import { nameOf } from '../rentals/instances/instance-rows.ts';
import { isKnownState, stateWords } from '../rentals/instances/state-words.ts';
import { deliveriesHref } from '../watches/sent-words.ts';

/** The action that would settle it. */
export type NeedAction = 'settle' | 'bid' | 'extend' | 'stop' | 'destroy';

/** What needs a decision of the reader, with its reason. */
export interface Need {
  key: string;
  /** An instance's label or id, a channel or a budget. */
  name: string;
  /** A stable name of the reason. */
  kind: string;
  reason: string;
  /** The view that shows it. */
  href: string;
  /** null: of a channel or a budget. */
  instance: Instance | null;
  /** null: only its view helps. */
  action: NeedAction | null;
}

interface Finding {
  kind: string;
  reason: string;
  action: NeedAction | null;
}

/** What may need the reader. */
interface Judged {
  instances: readonly Instance[];
  budgets: readonly Budget[];
  channels: readonly Pick<Channel, 'id' | 'name' | 'undelivered' | 'lastDelivery'>[];
}

/** Returns what needs the reader: instances, the most urgent reason of each, then channels, then budgets. */
export function needsOf({ instances, budgets, channels }: Judged, now: number): Need[] {
  const ofInstances = instances.flatMap((instance) => {
    const found = rules.findIndex((rule) => rule(instance, now) !== null);
    const finding = rules[found]?.(instance, now) ?? null;
    return finding === null ? [] : [{ place: found, need: needOf(instance, finding) }];
  });
  return [
    ...ofInstances.toSorted((a, b) => a.place - b.place).map(({ need }) => need),
    ...channels.flatMap(channelNeed),
    ...budgets.flatMap(budgetNeed),
  ];
}

/** Returns how many of the instances need the reader, and how many channels and budgets, if any. */
export function needsHead(needs: readonly Need[], instances: number): string {
  const others = needs.filter(({ instance }) => instance === null).length;
  const ofInstances = `${formatCount(needs.length - others)} of ${countOf(instances, 'instance')}`;
  if (others === 0) return ofInstances;
  return instances === 0 ? countOf(others, 'item') : `${ofInstances}, ${countOf(others, 'other item')}`;
}

function needOf(instance: Instance, finding: Finding): Need {
  const { instanceId, rentalId } = instance;
  return {
    ...finding,
    key: String(instanceId ?? rentalId),
    name: nameOf(instance),
    href: instanceId === null ? '/instances' : `/instances/${instanceId}`,
    instance,
  };
}

type Rule = (instance: Instance, now: number) => Finding | null;

/** The reasons for which an instance needs the reader, the most urgent first. */
const rules: readonly Rule[] = [
  ({ state }) =>
    state === 'unsettled'
      ? {
          kind: 'unsettled',
          reason: 'It is unclear whether it was rented: it counts at its price cap.',
          action: 'settle',
        }
      : null,
  ({ state, stoppedUsdPerDay }) =>
    state === 'start-failed'
      ? {
          kind: 'start-failed',
          reason: `It failed to start and never will: its disk is charged${hourlyOfDay(stoppedUsdPerDay)}.`,
          action: 'destroy',
        }
      : null,
  ({ state, statusMessage, stoppedUsdPerDay }) =>
    state === 'down'
      ? {
          kind: 'down',
          reason: `It is down${statusMessage === null ? '' : ` (${statusMessage})`}: its disk is charged${hourlyOfDay(stoppedUsdPerDay)}.`,
          action: 'destroy',
        }
      : null,
  ({ wanted, wantedProblem }) =>
    wantedProblem !== null
      ? {
          kind: 'refused',
          reason: `The market has not made it ${wanted ?? 'so'}: ${wantedProblem}.`,
          action: null,
        }
      : null,
  outbid,
  ({ ending, endAction }) =>
    ending === null
      ? null
      : {
          kind: 'ending',
          reason: `${endAction === 'stop' ? 'It stops' : 'It is destroyed'} ${formatExpected(ending.at)}: ${ending.reading}.`,
          action: 'extend',
        },
  ({ found }) =>
    found !== null && found.replacementId !== null
      ? {
          kind: 'replaced',
          reason: `Its replacement is rented at ${formatUsd(found.usdPerHour)}/hour: destroy this one once that is ready.`,
          action: 'destroy',
        }
      : null,
  hostEnding,
  ({ state, stoppedUsdPerDay }) =>
    state === 'stopped' && Number(stoppedUsdPerDay ?? 1) > 0
      ? {
          kind: 'stopped',
          reason: `It is stopped, and its disk is still charged${hourlyOfDay(stoppedUsdPerDay)}.`,
          action: 'destroy',
        }
      : null,
  ({ idle, usdPerHour }) =>
    idle === true
      ? {
          kind: 'idle',
          reason: `Its GPUs were idle for an hour, at ${usdPerHour === null ? 'an unknown price' : `${formatAmount(usdPerHour, 4)}/hour`}.`,
          action: 'stop',
        }
      : null,
  ({ state }) =>
    isKnownState(state)
      ? null
      : {
          kind: 'unknown-state',
          reason: `The market calls its state “${stateWords(state).text}”.`,
          action: null,
        },
];

/** A bid that no longer holds its machine: stopped by the market, or below the minimum. */
function outbid({ state, type, wanted, bidUsdPerHour, minBidUsdPerHour }: Instance): Finding | null {
  if (type !== 'bid' || state !== 'stopped' || wanted === 'stopped') return null;
  if (minBidUsdPerHour === null || Number(bidUsdPerHour ?? 0) >= minBidUsdPerHour) return null;
  const bid = bidUsdPerHour === null ? 'its bid' : `its bid of ${formatAmount(bidUsdPerHour, 4)}/hour`;
  return {
    kind: 'outbid',
    reason: `It is outbid: the minimum is now ${formatUsd(minBidUsdPerHour)}/hour, above ${bid}.`,
    action: 'bid',
  };
}

/** The end by the host, which takes the data too, unless the instance is destroyed by its own limit before. */
function hostEnding({ state, hostEndsAt, endsAt, endAction }: Instance, now: number): Finding | null {
  if (hostEndsAt === null || ['destroyed', 'destroying', 'failed'].includes(state)) return null;
  const minutes = (Date.parse(hostEndsAt) - now) / 60_000;
  if (!endsSoon(minutes / 60)) return null;
  const isBefore = endsAt !== null && endsAt < hostEndsAt && Date.parse(endsAt) > now;
  if (isBefore && endAction === 'destroy') return null;
  const stops =
    isBefore && state !== 'stopped'
      ? `It stops ${formatExpected(endsAt, now)} by its limit, and its host`
      : 'Its host';
  const ends = minutes <= 0 ? 'has ended it' : `ends it in ${formatLength(minutes)}`;
  return { kind: 'host-ending', reason: `${stops} ${ends}: copy your data elsewhere.`, action: null };
}

const hourlyOfDay = (usd: string | null): string =>
  usd === null ? ' at an unknown price' : ` at ${formatHourlyOfDay(usd)}`;

/** A channel that has sent nothing since messages to it failed or were refused. */
function channelNeed({ id, name, undelivered, lastDelivery }: Judged['channels'][number]): Need[] {
  if (undelivered === 0 || lastDelivery === null) return [];
  const { title, problem } = lastDelivery;
  const which = undelivered === 1 ? title : `the newest is ${title}`;
  const reason = `${countOf(undelivered, 'message')} not delivered: ${which}${problem === null ? '' : ` (${problem})`}.`;
  return [{ key: id, name, kind: 'undelivered', reason, href: deliveriesHref, instance: null, action: null }];
}

function budgetNeed({ id, label, monthlyUsd, blockRentals, state }: Budget): Need[] {
  const shared = {
    key: id,
    name: label === null ? 'Budget of all spend' : `Budget of ${label}`,
    href: '/spend',
    instance: null,
    action: null,
  };
  const monthly = formatAmount(monthlyUsd);
  if (state.usedUp) {
    const which = label === null ? 'New rentals' : `New rentals labeled ${label}`;
    const blocked = blockRentals ? ` ${which} are blocked.` : '';
    const reason = `It is used up: ${formatAmount(state.spentUsd)} of ${monthly} this month.${blocked}`;
    return [{ ...shared, kind: 'budget', reason }];
  }
  if (state.projectedUsd === null || Number(state.projectedUsd) <= Number(monthlyUsd)) return [];
  const projected = formatAmount(state.projectedUsd);
  return [
    {
      ...shared,
      kind: 'budget-ahead',
      reason: `At today’s rate it will be ${projected} at the month’s end, above its ${monthly}.`,
    },
  ];
}
