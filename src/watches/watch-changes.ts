import { isDeepStrictEqual } from 'node:util';
import type { z } from '@hono/zod-openapi';
import { requireKnownModels } from '../books/choose-market.ts';
import { badField, nameTaken, noSuch, orNoSuch } from '../core/http/problem.ts';
import { defaultProfile } from '../core/metric.ts';
import type { Db, Sql } from '../database/connection.ts';
import { knownChannels } from './channels/channels.sql.ts';
import { renewRules } from './rules/initial-rule-state.ts';
import { listRules } from './rules/rules.sql.ts';
import { sendUnheardAlerts } from './rules/unheard-alerts.ts';
import { type Watch, type WatchFields, watchDefaults } from './watch.ts';
import { changedFields, type NewWatchSchema, type WatchChangeSchema } from './watch-body.ts';
import {
  changeWatch,
  findPlacedWatch,
  insertWatch,
  type MarketIds,
  type PlacedWatch,
} from './watches.sql.ts';

type NewWatch = Omit<z.output<typeof NewWatchSchema>, 'market'>;
type WatchChange = Omit<z.output<typeof WatchChangeSchema>, 'market'>;

/**
 * Stores a new watch of markets; `timeZone` is the default of its schedule. Throws a 400 for unknown models and a 409
 * for a taken name.
 */
export async function addWatch(
  { sql, now, timeZone }: { sql: Sql; now: () => Date; timeZone: string },
  marketIds: MarketIds,
  body: NewWatch,
): Promise<Watch> {
  await requireModels(sql, marketIds, body.filters?.gpuName);
  await requireChannels(sql, body.channelIds);
  const changed = changedFields(blankWatch(timeZone), body);
  // A schedule given for the watch also applies to its report.
  const follows = body.reportSchedule === undefined && body.schedule?.cron !== undefined;
  const reportSchedule = follows && changed.channelIds.length > 0 ? changed.schedule : changed.reportSchedule;
  const fields = { ...changed, reportSchedule };
  const watch = await insertWatch(sql, marketIds, fields, now());
  if (watch === null) throw nameTaken('a watch', fields.name);
  return watch;
}

/**
 * Changes the given fields of a watch, including its markets. If its filters change, its rules' state restarts; in an
 * added market only there. With a first channel its rules send what they reported to nobody. Throws as `addWatch` does, a 400 for filters that a rule of the watch cannot have, and a 404
 * for an unknown id.
 */
export async function editWatch(
  { sql, now }: { sql: Sql; now: () => Date },
  id: string,
  body: WatchChange,
  marketIds?: MarketIds,
): Promise<Watch> {
  const before = orNoSuch(await findPlacedWatch(sql, id), 'watch');
  const ids = marketIds ?? before.places.map(({ marketId }) => marketId);
  const gpuNames = body.filters?.gpuName ?? (marketIds === undefined ? [] : before.filters.gpuName);
  await requireModels(sql, ids, gpuNames);
  await requireChannels(sql, body.channelIds);
  const mayRenew = body.filters !== undefined || body.profile !== undefined || marketIds !== undefined;
  const watch = await changeWatch(sql, id, (stored) => changedFields(stored, body), {
    now: now(),
    marketIds,
    onChanged:
      mayRenew || body.channelIds !== undefined
        ? async (tx, was, is) => {
            await renewWhereOther(tx, was, is, now());
            if (is.channelIds.length > 0) await sendUnheardOf(tx, is, now());
          }
        : undefined,
  });
  if (watch === 'missing') throw noSuch('watch');
  if (watch === 'name-taken') throw nameTaken('a watch', body.name ?? before.name);
  return watch;
}

// Other offers or another usage profile would look like a price change to the rules.
async function renewWhereOther(tx: Db, before: PlacedWatch, after: PlacedWatch, now: Date): Promise<void> {
  const looksFor = ({ filters, profile }: WatchFields) => [filters, profile];
  const isSame = isDeepStrictEqual(looksFor(before), looksFor(after));
  const known = before.places.map(({ marketId }) => marketId);
  const places = isSame ? after.places.filter(({ marketId }) => !known.includes(marketId)) : after.places;
  if (places.length > 0) await renewRules(tx, after, places, now);
}

/** Sends what the rules of a watch that have no channels of their own reported to nobody. */
async function sendUnheardOf(tx: Db, watch: PlacedWatch, now: Date): Promise<void> {
  const marketIds = watch.places.map(({ marketId }) => marketId);
  const rules = await listRules(tx, { marketIds, watchId: watch.id, after: null, limit: null });
  for (const rule of rules) if (rule.channelIds.length === 0) await sendUnheardAlerts(tx, rule, now);
}

/** Returns a watch without a name, filters and channels. */
export function blankWatch(timeZone: string): WatchFields {
  const { rankBy, top, cron } = watchDefaults;
  const fields = { name: '', filters: {}, profile: defaultProfile, rankBy, top };
  return { ...fields, schedule: { cron, timeZone }, channelIds: [], reportSchedule: null };
}

/** Throws a 400 for models that none of the markets ever listed. */
export const requireModels = async (
  sql: Sql,
  marketIds: readonly number[],
  gpuNames: readonly string[] = [],
): Promise<void> =>
  await requireKnownModels(
    { sql },
    marketIds.map((id) => ({ id })),
    gpuNames,
    'filters.gpuName',
  );

/** Throws a 400 for ids that no channel has. */
export async function requireChannels(sql: Sql, ids: readonly string[] | undefined): Promise<void> {
  if (ids === undefined || ids.length === 0) return;
  const known = await knownChannels(sql, ids);
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) throw badField('channelIds', `contains an unknown channel: ${unknown.join(', ')}`);
}
