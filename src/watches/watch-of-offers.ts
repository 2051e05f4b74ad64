import { isDeepStrictEqual } from 'node:util';
import type { z } from '@hono/zod-openapi';
import { chooseMarkets } from '../books/choose-market.ts';
import type { Market } from '../books/markets.sql.ts';
import { findScope } from '../books/newest-books.sql.ts';
import { cutText } from '../core/cut-text.ts';
import { defaultMetric } from '../core/metric.ts';
import type { Db } from '../database/connection.ts';
import { oneLine } from './channels/notice.ts';
import { conditionWords } from './reports/ranking-words.ts';
import { scopeOfWatch, typesOfWatch, type Watch, type WatchFields, type WatchFilters } from './watch.ts';
import { changedFields, type WatchedOffersSchema } from './watch-body.ts';
import { blankWatch, requireModels } from './watch-changes.ts';
import {
  findPlacedWatch,
  findWatch,
  holdWatches,
  insertWatchIn,
  listWatches,
  type MarketIds,
  type PlacedWatch,
} from './watches.sql.ts';
import type { WatchesDeps } from './watches-deps.ts';

/** The watch that a rule on some offers needs, whether it exists or not. */
export interface NeededWatch {
  markets: readonly [Market, ...Market[]];
  fields: WatchFields;
}

/** The parts of a watch by which a rule is tested. */
export type TriedWatch = Pick<PlacedWatch, 'places' | 'filters' | 'profile'>;

const maxNameLength = 120;
/** No scope has this id, so it has no books. */
const noScope = 0;

/** Returns the watch that offers of a body need. Throws a 400 for an unknown market or model. */
export async function neededWatch(
  deps: WatchesDeps,
  { market, ...body }: z.output<typeof WatchedOffersSchema>,
): Promise<NeededWatch> {
  const markets = await chooseMarkets(deps, market);
  const fields = changedFields(blankWatch(deps.timeZone ?? 'UTC'), body);
  await requireModels(
    deps.sql,
    markets.map(({ id }) => id),
    fields.filters.gpuName,
  );
  // Of one model the price per GPU tells what is cheapest, as in the rankings of the page.
  const rankBy = fields.filters.gpuName?.length === 1 ? defaultMetric : fields.rankBy;
  return { markets, fields: { ...fields, rankBy, name: nameOf(fields.filters) } };
}

/** Returns the ids of its markets. */
export const marketIdsOf = ({ markets: [first, ...others] }: NeededWatch): MarketIds => [
  first.id,
  ...others.map(({ id }) => id),
];

/** Returns the oldest watch that already watches exactly these offers; null: none. */
export async function findSameWatch(db: Db, needed: NeededWatch): Promise<Watch | null> {
  const wanted = offersOf({ ...needed.fields, markets: needed.markets.map(({ name }) => name) });
  const watches = await listWatches(db, { marketIds: marketIdsOf(needed), after: null, limit: null });
  // Ids are in the order of creation.
  const same = watches.filter((watch) => isDeepStrictEqual(offersOf(watch), wanted)).map(({ id }) => id);
  const [first] = same.sort();
  return first === undefined ? null : await findWatch(db, first);
}

/** Returns the watch of these offers, made in this transaction if there is none. */
export async function findOrMakeWatch(tx: Db, needed: NeededWatch, now: Date): Promise<PlacedWatch> {
  const marketIds = marketIdsOf(needed);
  await holdWatches(tx, marketIds);
  const { id } = (await findSameWatch(tx, needed)) ?? (await makeWatch(tx, marketIds, needed.fields, now));
  const placed = await findPlacedWatch(tx, id);
  if (placed === null) throw new Error(`the watch ${id} vanished while it was held`);
  return placed;
}

async function makeWatch(tx: Db, marketIds: MarketIds, fields: WatchFields, now: Date): Promise<Watch> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? fields.name : `${fields.name} (${number})`;
    const made = await insertWatchIn(tx, marketIds, { ...fields, name }, now);
    if (made !== null) return made;
  }
}

/** Returns it as rules are tested on it; its scopes may have no books yet. */
export async function placeNeeded(db: Db, { markets, fields }: NeededWatch): Promise<TriedWatch> {
  const { name: scopeName } = scopeOfWatch(fields.filters);
  const place = async ({ id, name, kind }: Market) => {
    const scopeId = (await findScope(db, id, scopeName)) ?? noScope;
    return { market: name, kind, marketId: id, scopeId };
  };
  const [first, ...others] = markets;
  return { ...fields, places: [await place(first), ...(await Promise.all(others.map(place)))] };
}

/** Returns what identifies the offers of a watch, whatever the order of its lists. */
function offersOf({
  filters,
  profile,
  markets,
}: Pick<Watch, 'filters' | 'profile' | 'markets'>): Record<string, unknown> {
  const sorted = Object.entries({ ...filters, type: typesOfWatch(filters) }).map(([name, value]) => [
    name,
    Array.isArray(value) ? [...new Set(value)].sort() : value,
  ]);
  const set = sorted.filter(([, value]) => !(Array.isArray(value) && value.length === 0));
  return { filters: Object.fromEntries(set), profile, markets: [...markets].sort() };
}

const reliable = ['verified', 'min reliability 98%'];

/** Returns conditions with `reliable` for the two of a reliable offer. */
const inShort = (conditions: readonly string[]): string[] =>
  reliable.every((each) => conditions.includes(each))
    ? ['reliable', ...conditions.filter((each) => !reliable.includes(each))]
    : [...conditions];

/** Returns the name of a watch of these offers: `H100 SXM; reliable`, `H100 SXM; bid`. */
export function nameOf(filters: WatchFilters): string {
  const { gpuName = [] } = filters;
  const models = gpuName.length === 0 ? 'All models' : gpuName.join(', ');
  const types = typesOfWatch(filters).join(', ');
  const parts = [models, ...(types === 'on-demand' ? [] : [types]), ...inShort(conditionWords(filters))];
  return cutText(oneLine(parts.join('; ')), maxNameLength);
}
