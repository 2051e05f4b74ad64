import { countOf } from '../../core/count-of.ts';
import { ApiProblem, badField } from '../../core/http/problem.ts';
import { formatUsd } from '../../core/usd-words.ts';
import { indexChangeDays } from '../index/index-change.ts';
import { clarityWords } from '../index/price-verdict.ts';
import { readIndex } from '../index/read-index.ts';
import type { PricesDeps } from '../prices-deps.ts';
import type { ExplainedModel } from './explain-answer.ts';
import { type Figures, leftOutWords } from './explained-figures.ts';
import type { ExplainedFigures } from './explanation-schema.ts';
import { poolHeld } from './held-books.ts';
import type { HeldRow } from './held-rows.sql.ts';
import { observeListings, type WindowListing } from './observed-listings.ts';
import { type PlainRegression, regressPlainly } from './plain-regression.ts';
import { readHeld } from './read-held.ts';

const dayMs = 86_400_000;
const windowDays = 28;
/** Earlier than any book. */
const earliest = new Date('2015-01-01T00:00:00Z');
const steadyPercent = 1;
/** Digits of a day's stored median. */
const significantDigits = 9;
const enough = { listings: 5, machines: 8, hosts: 3 };
/** Days that a change may be compared with, by its length. */
const nearDays: Record<number, readonly number[]> = { 1: [1], 7: [7, 8, 6], 27: [27, 28, 26] };

const regressionFormula =
  'least squares of ln usdPerGpuHour = level of the listing + level of the day over 28 days, by UTC day the mean of each listing; 100 × (exp(difference of two days) − 1)';

/** Explains a day's index: its movement, solved again from the listings of its window. */
export async function explainIndexPoint(
  deps: PricesDeps,
  series: ExplainedModel,
  at: Date | null,
): Promise<ExplainedFigures> {
  const { points, day } = await readPublished(deps, series, at);
  const point = points.at(-1);
  const { regression, listings } = await solveWindow(deps, series, day);
  const before = regression?.days.at(-2);
  const published = points.find(({ t }) => t.getTime() === (before ?? Number.NaN) * dayMs);
  const contrast =
    regression === null || before === undefined || published === undefined
      ? null
      : regression.contrast(before);
  const value: Figures = {
    index: point?.index ?? null,
    movementPercent: point?.movementPercent ?? null,
    stderrPercent: point?.stderrPercent ?? null,
    listings: point?.listings ?? null,
    observations: point?.observations ?? null,
  };
  const recomputed: Figures = {
    index: contrast === null ? 100 : (published?.index ?? 100) * Math.exp(contrast.change),
    movementPercent: contrast === null ? null : percentOf(contrast.change),
    stderrPercent: contrast === null ? null : errorPercentOf(contrast),
    listings: regression?.repeated.length ?? null,
    observations: regression?.observations ?? null,
  };
  const rows = rowsOf(listings, regression, { day, before: before ?? null });
  const moved =
    contrast === null
      ? 'No day before can be compared with, so the index restarts at 100.'
      : `Since ${dayWords(before ?? 0)} prices moved by ${percentOf(contrast.change).toFixed(3)}% like for like; the index of that day is multiplied by it.`;
  return {
    text: [
      moved,
      'Charts show levels against a common day: all of them times the same number.',
      ...windowWords(day, regression, rows),
    ],
    value,
    recomputed,
    unit: '100 at its start',
    formula: regressionFormula,
    ...rows,
  };
}

/** Explains a change over 1, 7 or 27 days, like for like and of the median, from the window's listings. */
export async function explainChange(
  deps: PricesDeps,
  series: ExplainedModel,
  { at, days }: { at: Date | null; days: number },
): Promise<ExplainedFigures> {
  if (!indexChangeDays.includes(days as 1)) throw badField('days', 'must be 1, 7 or 27 for a change');
  const { changes, day } = await readPublished(deps, series, at);
  const shown = changes.find((each) => each.days === days);
  const { regression, listings, medianOf } = await solveWindow(deps, series, day);
  const near = nearDays[days] ?? [];
  const compared = near.find((back) => regression?.days.includes(day - back) === true);
  const contrast = regression === null || compared === undefined ? null : regression.contrast(day - compared);
  const medianBack = compared ?? near.find((back) => medianOf(day - back) !== null) ?? days;
  const [medianBefore, medianNow] = [medianOf(day - medianBack), medianOf(day)];
  const percent = contrast === null ? null : percentOf(contrast.change);
  const medianPercent =
    medianBefore === null || medianNow === null || medianBefore <= 0
      ? null
      : 100 * (medianNow / medianBefore - 1);
  const recomputed: Figures = {
    percent,
    stderrPercent: contrast === null ? null : errorPercentOf(contrast),
    medianPercent,
    mixPercent: percent === null || medianPercent === null ? null : medianPercent - percent,
    status: statusOf(regression, contrast),
    medianBefore,
    medianNow,
  };
  const value: Figures =
    shown === undefined
      ? {}
      : {
          percent: shown.percent,
          stderrPercent: shown.stderrPercent,
          medianPercent: shown.medianPercent,
          mixPercent: shown.mixPercent,
          status: shown.status,
        };
  const before = day - medianBack;
  const rows = rowsOf(listings, regression, { day, before: compared === undefined ? null : before });
  const both = rows.taken.filter((row) => row.priceBefore !== null && row.priceNow !== null).length;
  return {
    text: [
      ...(shown === undefined ? [] : [`In ${countOf(days, 'day')}: ${shown.words}.`, clarityWords(shown)]),
      'The prices of the same offers are compared over the whole market; whether it is a good time to rent goes by the lowest price alone.',
      compared === undefined
        ? `No day about ${countOf(days, 'day')} before ${dayWords(day)} can be compared with like for like.`
        : `${dayWords(day)} compared with ${dayWords(day - compared)}: ${countOf(both, 'listing')} seen on both days, the others connect them through the days between.`,
      medianPercent === null
        ? 'One of the two days has no median.'
        : `The day’s median, of all prices of that day, moved from ${formatUsd(medianBefore)} to ${formatUsd(medianNow)} per GPU-hour; that of the newest book alone is another figure. What the same machines do not explain is the mix, said in words where it is at least a point and twice the error.`,
      ...windowWords(day, regression, rows),
    ],
    value,
    recomputed,
    unit: '%',
    formula: regressionFormula,
    ...rows,
  };
}

/** Returns the published index up to the day of `at`; null: up to its newest day. Throws a 404 if there is none. */
async function readPublished(deps: PricesDeps, series: ExplainedModel, at: Date | null) {
  const now = deps.now();
  const end = at === null ? new Date(now.getTime() + dayMs) : at;
  const to = new Date((Math.floor(end.getTime() / dayMs) + 1) * dayMs);
  const { points, changes } = await readIndex(deps.sql, { ...series, from: earliest, to }, now);
  const last = points.at(-1);
  if (last === undefined || (at !== null && last.t.getTime() < to.getTime() - dayMs)) {
    throw new ApiProblem(
      404,
      'not-found',
      'There is no index of this model, type and day. `offerbook rebuild` computes it from books that were stored before there was an index.',
    );
  }
  return { points, changes, day: last.t.getTime() / dayMs };
}

/** Solves the window that ends with a day; `medianOf` also knows the day before the window. */
async function solveWindow(deps: PricesDeps, series: ExplainedModel, day: number) {
  const range = { from: new Date((day - windowDays) * dayMs), to: new Date((day + 1) * dayMs) };
  const { held, times } = await readHeld(deps.sql, series, range);
  const within = times.filter((time) => time >= (day - windowDays + 1) * dayMs);
  const listings = observeListings(held, within);
  const told = listings.filter(({ differs, logs }) => !differs && logs.size > 0);
  return { listings, regression: regressPlainly(told, day), medianOf: medianOfDay(held, times) };
}

const medianOfDay =
  (held: readonly HeldRow[], times: readonly number[]) =>
  (day: number): number | null => {
    const own = times.filter((time) => Math.floor(time / dayMs) === day);
    const median = poolHeld(held, own).percentile(0.5);
    return median === null ? null : Number(median.toPrecision(significantDigits));
  };

const percentOf = (change: number): number => 100 * Math.expm1(change);
/** The error as part of the change, in percent. */
const errorPercentOf = ({ change, error }: { change: number; error: number | null }): number | null =>
  error === null ? null : change === 0 ? 100 * error : (percentOf(change) * error) / change;

function statusOf(
  regression: PlainRegression | null,
  contrast: { change: number; error: number | null } | null,
): string {
  const repeated = regression?.repeated ?? [];
  const errorPercent = contrast === null ? null : errorPercentOf(contrast);
  if (contrast === null || errorPercent === null || repeated.length < enough.listings) return 'insufficient';
  if (Math.abs(percentOf(contrast.change)) + 2 * errorPercent < steadyPercent) return 'steady';
  const machines = new Set(repeated.map(({ machineId }) => machineId)).size;
  const hosts = new Set(repeated.map(({ hostId }) => hostId)).size;
  const isLarge = machines >= enough.machines && hosts >= enough.hosts;
  return isLarge && Math.abs(contrast.change) > 2 * (contrast.error ?? 0) ? 'clear' : 'unclear';
}

/** Returns the listings that determine the levels, and the others with the reason. */
function rowsOf(
  listings: readonly WindowListing[],
  regression: PlainRegression | null,
  { day, before }: { day: number; before: number | null },
): { taken: Figures[]; rejected: Figures[] } {
  const connected = new Set(regression?.listings.map(({ listingId }) => listingId));
  const repeated = new Set(regression?.repeated.map(({ listingId }) => listingId));
  const reasonOf = ({ differs, logs, listingId }: WindowListing): string | null => {
    if (differs) return 'another listing of its machine differs in price alone';
    if (logs.size === 0) return 'no price above 0';
    if (!connected.has(listingId)) return 'no listing connects it with the day';
    return repeated.has(listingId) ? null : 'seen on one day only';
  };
  const priceOn = (logs: WindowListing['logs'], on: number | null): number | null => {
    const log = on === null ? undefined : logs.get(on);
    return log === undefined ? null : Math.exp(log);
  };
  const rows = listings.map((listing): Figures => {
    const { listingId, machineId, hostId, numGpus, logs } = listing;
    const [priceBefore, priceNow] = [priceOn(logs, before), priceOn(logs, day)];
    return {
      listingId: String(listingId),
      machineId,
      hostId,
      numGpus,
      days: logs.size,
      priceBefore,
      priceNow,
      changePercent: priceBefore === null || priceNow === null ? null : 100 * (priceNow / priceBefore - 1),
      rejected: reasonOf(listing),
    };
  });
  const first = (row: Figures): number => (row.priceBefore === null || row.priceNow === null ? 1 : 0);
  return {
    taken: rows.filter(({ rejected }) => rejected === null).sort((a, b) => first(a) - first(b)),
    rejected: rows.filter(({ rejected }) => rejected !== null),
  };
}

const dayWords = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

function windowWords(
  day: number,
  regression: PlainRegression | null,
  { rejected }: { rejected: readonly Figures[] },
): string[] {
  const repeated = regression?.repeated ?? [];
  const hosts = new Set(repeated.map(({ hostId }) => hostId)).size;
  return [
    `It rests on ${countOf(repeated.length, 'listing')} of ${countOf(hosts, 'host')} seen on two days or more of the ${windowDays} until ${dayWords(day)}, as far as there are books. ${leftOutWords(rejected as { rejected: string }[])}`,
    'Daily means are recomputed from presence and price intervals, which are never deleted.',
  ];
}
