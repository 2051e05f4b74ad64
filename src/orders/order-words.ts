import { formatFacts, formatTable } from '../core/terminal/table.ts';
import { minuteWords } from '../core/time-words.ts';
import { formatLimit } from '../core/usd-words.ts';
import { dollars } from '../rentals/acting-options.ts';
import type { OrderChoice } from './order.ts';
import type { DryRunAnswer, OrderAnswer } from './order-answers.ts';

/** Describes the price conditions of a choice. */
export function priceWords(choice: Readonly<Record<string, unknown>>): string {
  const { maxUsdPerGpuHour, maxPercentile, minIndexFall, bid } = choice as unknown as OrderChoice;
  return [
    ...(maxUsdPerGpuHour === undefined
      ? []
      : [`${bid === undefined ? 'max' : 'bids up to'} ${formatLimit(maxUsdPerGpuHour)}/GPU-hour`]),
    ...(maxPercentile === undefined
      ? []
      : [`percentile max ${maxPercentile.percentile} of ${maxPercentile.days} days`]),
    ...(minIndexFall === undefined
      ? []
      : [`index down ${minIndexFall.percent}% in ${minIndexFall.days} days`]),
  ].join(', ');
}

/** Describes a dry run, one line for each machine that would have been rented. */
export function dryRunWords({
  from,
  to,
  books,
  wouldRent,
  medianHoursToRent,
  rents,
  state,
  committedUsd,
  bidChances = [],
}: DryRunAnswer): string[] {
  const range = `Dry run over ${books} ${books === 1 ? 'book' : 'books'}, ${minuteWords(from)} to ${minuteWords(to)}:`;
  const chances = bidChances.filter(({ hours }) => hours === 24).map(chanceWords);
  if (wouldRent === 0) return [`${range} it would have rented nothing.`, ...chances];
  const machines = `${wouldRent} ${wouldRent === 1 ? 'machine' : 'machines'}`;
  return [
    `${range} it would have rented ${machines}, within ${hourWords(medianHoursToRent)} in the median` +
      `${committedUsd === null ? '' : `, committing ${dollars(committedUsd)}`}; then it would be ${state ?? 'waiting'}.`,
    ...rents.map(
      ({ at, numGpus, gpuName, machineId, usdPerHour }) =>
        `  ${minuteWords(at)}: ${numGpus} × ${gpuName}, machine ${machineId}, ${dollars(String(usdPerHour))}/hour`,
    ),
    ...chances,
  ];
}

/** Describes how long past bids as high as a choice's first bid have lasted. */
function chanceWords({
  choice,
  hours,
  raisePercent,
  share,
  cases,
}: DryRunAnswer['bidChances'][number]): string {
  const which = `Choice ${choice + 1}: of past bids ${raisePercent}% above the minimum`;
  return share === null
    ? `${which}, too few are known (${cases}).`
    : `${which}, ${Math.round(100 * share)}% were not outbid within ${hours} hours (${cases} cases).`;
}

const hourWords = (hours: number | null): string =>
  hours === null ? 'no time' : `${Number(hours.toFixed(1))} h`;

/** Describes an order with its dry run and its attempts; `watchNames` by id. */
export function describeOrder(order: OrderAnswer, watchNames: ReadonlyMap<string, string>): string {
  const { id, name, state, reason, waitingReason, machines, count, endsAt, budgetUsd, committedUsd } = order;
  const why = waitingReason ?? reason;
  const facts = formatFacts([
    ['Id', id],
    ['Name', name],
    ['State', why === null ? state : `${state}: ${why}`],
    ['Machines', `${machines} of ${count}`],
    ...order.choices.map((choice, index): [string, string] => [
      `Choice ${index + 1}`,
      `watch ${watchNames.get(String(choice.watchId)) ?? String(choice.watchId)}, ${priceWords(choice)}`,
    ]),
    ['Expires', minuteWords(endsAt)],
    ['Budget', budgetUsd === null ? 'none' : `$${budgetUsd}, ${dollars(committedUsd)} of it committed`],
  ]);
  const rows = order.attempts.map((attempt) => [
    String(attempt.attempt),
    minuteWords(attempt.at),
    String(attempt.machineId),
    dollars(attempt.usdPerHour),
    attempt.outcome,
    attempt.instanceId === null ? (attempt.reason ?? '') : `instance ${attempt.instanceId}`,
  ]);
  const table =
    rows.length === 0
      ? []
      : [formatTable(['Attempt', 'Time', 'Machine', '$/hour', 'Outcome', 'Result'], rows)];
  const dry =
    order.dryRun === null
      ? ['No dry run yet: `offerbook order dry-run` makes one.']
      : dryRunWords(order.dryRun);
  return [facts, ...table, ...dry].join('\n');
}
