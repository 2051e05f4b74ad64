import type { Offer } from '../../../src/core/offer.ts';
import type { SyntheticBook } from './synthetic-history.ts';

/**
 * What docs/meaning.md says must be stored of a history, computed from the raw books in the plainest way: as JSON
 * texts, sorted.
 */
export interface ModelContents {
  presence: string[];
  runs: string[];
  attributes: string[];
  points: string[];
  latest: string[];
}

/** A book with the listing of each offer that it covers. */
interface Placed {
  at: Date;
  type: string;
  /** null: it covers all models. */
  models: readonly string[] | null;
  offers: { key: string; offer: Offer }[];
}

/** A row as text, its numbers with 9 significant digits: beyond them the order of a sum shows. */
export const canonical = (row: unknown): string =>
  JSON.stringify(row, (_, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(9)) : value,
  );

/** Contents after all the books have landed, in whatever order. */
export function modelContents(books: readonly SyntheticBook[]): ModelContents {
  const contents: ModelContents = { presence: [], runs: [], attributes: [], points: [], latest: [] };
  const covering = books.filter(
    ({ complete, slices, offers }) => (complete && offers.length > 0) || slices.length > 0,
  );
  for (const series of Map.groupBy(covering, ({ type }) => type).values()) {
    const placed = series.toSorted((a, b) => a.observedAt.getTime() - b.observedAt.getTime()).map(place);
    const keys = new Map(
      placed.flatMap(({ offers }) => offers.map(({ key, offer }) => [key, offer.gpuName] as const)),
    );
    for (const [key, model] of keys) {
      const sightings = placed
        .filter(({ models }) => models === null || models.includes(model))
        .map((book) => ({
          at: book.at.toISOString(),
          isWhole: book.models === null,
          offer: book.offers.find((each) => each.key === key)?.offer ?? null,
        }));
      contents.presence.push(...presenceOf(key, sightings));
      const seen = sightings.flatMap(({ offer, ...at }) => (offer === null ? [] : [{ ...at, offer }]));
      contents.runs.push(...runsOf(key, seen));
      contents.attributes.push(...attributesOf(key, seen));
      const latest = seen.findLast(({ isWhole }) => isWhole);
      if (latest !== undefined) {
        contents.latest.push(canonical([key, latest.at, latest.offer.offerId, latest.offer.raw]));
      }
    }
    contents.points.push(...placed.flatMap((book) => pointsOf(book, placed)));
  }
  for (const list of Object.values(contents)) list.sort();
  return contents;
}

/** Listing keys: offers that share machine, model and size are told apart by (price, id). */
function place({ observedAt, type, offers, slices }: SyntheticBook): Placed {
  const models = slices.length > 0 ? slices : null;
  const covered = offers.filter(({ gpuName }) => models?.includes(gpuName) ?? true);
  const sorted = covered.toSorted((a, b) => a.baseUsdPerHour - b.baseUsdPerHour || a.offerId - b.offerId);
  const count = new Map<string, number>();
  return {
    at: observedAt,
    type,
    models,
    offers: sorted.map((offer) => {
      const group = `${type}|${offer.machineId}|${offer.gpuName}|${offer.numGpus}`;
      const ordinal = (count.get(group) ?? 0) + 1;
      count.set(group, ordinal);
      return { key: `${group}|${ordinal}`, offer };
    }),
  };
}

function presenceOf(key: string, sightings: { at: string; offer: Offer | null }[]): string[] {
  const spans: [first: string, last: string][] = [];
  sightings.forEach(({ at, offer }, index) => {
    const span = spans.at(-1);
    if (offer === null) return;
    if (span !== undefined && sightings[index - 1]?.offer !== null && index > 0) span[1] = at;
    else spans.push([at, at]);
  });
  const newest = spans.at(-1);
  if (newest !== undefined && sightings.at(-1)?.offer !== null) newest[1] = 'infinity';
  return spans.map((span) => canonical([key, ...span]));
}

function runsOf(key: string, seen: { at: string; offer: Offer }[]): string[] {
  const runs: { from: string; prices: string }[] = [];
  for (const { at, offer } of seen) {
    const prices = JSON.stringify([
      offer.baseUsdPerHour,
      offer.storageUsdPerGbMonth,
      offer.inetDownUsdPerGb,
      offer.inetUpUsdPerGb,
      offer.minBidUsdPerHour,
    ]);
    if (runs.at(-1)?.prices !== prices) runs.push({ from: at, prices });
  }
  return runs.map(({ from, prices }, index) =>
    canonical([key, from, runs[index + 1]?.from ?? 'infinity', JSON.parse(prices)]),
  );
}

const dayOf = (at: string): string => at.slice(0, 10);

/** The day's values are those of its first sighting; in force are those that moved from the row in force. */
function attributesOf(key: string, seen: { at: string; offer: Offer }[]): string[] {
  const days = [...Map.groupBy(seen, ({ at }) => dayOf(at)).values()].flatMap(([first]) => first ?? []);
  const inForce: { at: string; offer: Offer }[] = [];
  for (const day of days) {
    const force = inForce.at(-1);
    if (force === undefined || hasMoved(force.offer, day.offer)) inForce.push(day);
  }
  return days.map((day) => {
    const index = inForce.indexOf(day);
    const next = inForce[index + 1];
    const until = index === -1 ? null : next === undefined ? 'infinity' : dayOf(next.at);
    const { dlperf, reliability, inetDown, driverVersion, country, gpuIds } = day.offer;
    const values = [dlperf, reliability, inetDown, driverVersion, country, gpuIds];
    return canonical([key, dayOf(day.at), until, day.at, values]);
  });
}

function hasMoved(force: Offer, here: Offer): boolean {
  const by = (a: number | null, b: number | null, limit: (force: number) => number): boolean =>
    a === null || b === null ? a !== b : a !== b && Math.abs(a - b) - limit(a) > -1e-9;
  return (
    by(force.dlperf, here.dlperf, (value) => value * 0.02) ||
    by(force.reliability, here.reliability, () => 0.01) ||
    by(force.inetDown, here.inetDown, (value) => value * 0.2) ||
    force.driverVersion !== here.driverVersion ||
    force.country !== here.country ||
    JSON.stringify(force.gpuIds) !== JSON.stringify(here.gpuIds)
  );
}

/** The points of a book: each model it has, and all; of slices each model that they cover. GPU ids as the listing had them first on that day. */
function pointsOf(book: Placed, series: readonly Placed[]): string[] {
  const day = dayOf(book.at.toISOString());
  const idsOf = (key: string): readonly number[] | null =>
    series
      .filter(({ at }) => dayOf(at.toISOString()) === day)
      .flatMap(({ offers }) => offers)
      .find((each) => each.key === key)?.offer.gpuIds ?? null;
  const models = Map.groupBy(book.offers, ({ offer }) => offer.gpuName);
  const groups: [string | null, Placed['offers']][] =
    book.models === null
      ? [[null, book.offers], ...models]
      : book.models.map((model) => [model, models.get(model) ?? []]);
  return groups.map(([model, offers]) => {
    const values = offers
      .flatMap(({ offer: { baseUsdPerHour, storageUsdPerGbMonth: storage, numGpus } }) =>
        storage === null ? [] : [(baseUsdPerHour + (storage * 8) / 720) / numGpus],
      )
      .sort((a, b) => a - b);
    const machines = Map.groupBy(offers, ({ offer }) => `${offer.gpuName}|${offer.machineId}`);
    let physical = 0;
    let isLowerBound = false;
    for (const chunks of machines.values()) {
      const ids = chunks.flatMap(({ key }) => idsOf(key) ?? []);
      if (ids.length === 0) isLowerBound = true;
      physical += ids.length > 0 ? new Set(ids).size : Math.max(...chunks.map(({ offer }) => offer.numGpus));
    }
    return canonical([
      ...[book.type, book.at.toISOString(), model, values.length, offers.length],
      offers.reduce((sum, { offer }) => sum + offer.numGpus, 0),
      new Set(offers.map(({ offer }) => offer.machineId)).size,
      ...[physical, isLowerBound],
      ...[0, 0.1, 0.25, 0.5, 0.75, 0.9, 1].map((share) => percentile(values, share)),
    ]);
  });
}

/** Linear interpolation between the two nearest of the sorted values; null of none. */
function percentile(values: readonly number[], share: number): number | null {
  const place = share * (values.length - 1);
  const [low, high] = [values[Math.floor(place)], values[Math.ceil(place)]];
  return low === undefined || high === undefined ? null : low + (place - Math.floor(place)) * (high - low);
}
