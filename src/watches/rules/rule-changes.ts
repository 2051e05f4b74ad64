import { isDeepStrictEqual } from 'node:util';
import type { z } from '@hono/zod-openapi';
import { uuidv7 } from 'uuidv7';
import { chooseMarket } from '../../books/choose-market.ts';
import { findMarket } from '../../books/markets.sql.ts';
import { findScope, firstBookSince, newestMoment } from '../../books/newest-books.sql.ts';
import { bodyErrors, fieldsProblem } from '../../core/http/body-errors.ts';
import { badField, noSuch, orNoSuch } from '../../core/http/problem.ts';
import { readMomentParam } from '../../core/http/time-range.ts';
import type { Db } from '../../database/connection.ts';
import { typesOfWatch, type Watch } from '../watch.ts';
import { requireChannels } from '../watch-changes.ts';
import {
  findOrMakeWatch,
  findSameWatch,
  marketIdsOf,
  neededWatch,
  placeNeeded,
  type TriedWatch,
} from '../watch-of-offers.ts';
import { findPlacedWatch, type PlacedWatch } from '../watches.sql.ts';
import type { WatchesDeps } from '../watches-deps.ts';
import { initialRuleStates } from './initial-rule-state.ts';
import { isPriceRule, type Rule, type RuleFields, unitOfRule } from './rule.ts';
import type { BacktestAnswer } from './rule-answers.ts';
import {
  type BacktestSchema,
  blankRule,
  changedRule,
  type NewRuleSchema,
  type RuleChangeSchema,
  ruleParams,
} from './rule-body.ts';
import { beginAnew } from './rule-machine.ts';
import { findRule, holdEventRules, holdPriceRules, readRuleStates, saveRule } from './rules.sql.ts';
import { describeTried, tryMarkets } from './try-markets.ts';
import { unfitReason } from './unfit-rule.ts';
import { sendUnheardAlerts } from './unheard-alerts.ts';

type NewRule = z.output<typeof NewRuleSchema>;
type RuleChange = z.output<typeof RuleChangeSchema>;
type Backtest = z.output<typeof BacktestSchema>;

const dayMs = 86_400_000;
const maxRangeDays = 366;

/**
 * Stores a new rule, whose state starts from the existing history. Throws a 400 for anything that does not fit its
 * kind.
 */
export async function addRule(
  deps: WatchesDeps,
  { market, watchId = null, watch: offers, kind, ...body }: NewRule,
): Promise<Rule> {
  const { sql, now } = deps;
  await requireChannels(sql, body.channelIds);
  if (offers !== undefined && watchId !== null) throw badField('watch', notBoth);
  const needed = offers === undefined ? null : await neededWatch(deps, offers);
  const placed = watchId === null ? null : await watchOf(sql, watchId);
  const ofWatch = needed === null ? placed && marketsOf(placed) : marketIdsOf(needed);
  if (isPriceRule(kind) && ofWatch === null)
    throw badField('watchId', `is missing: a ${kind} rule belongs to a watch`);
  if (!isPriceRule(kind) && ofWatch !== null)
    throw badField(
      needed === null ? 'watchId' : 'watch',
      `does not apply: a ${kind} rule watches events, not offers`,
    );
  const homeId = ofWatch?.[0] ?? (await chooseMarket(deps, market)).id;
  const id = uuidv7();
  return await sql.begin(async (tx) => {
    await holdRules(tx, ofWatch, homeId);
    const known = watchId === null ? null : await watchOf(tx, watchId);
    const watch = needed === null ? known : await findOrMakeWatch(tx, needed, now());
    const ofKind = blankRule(kind, watch?.id ?? null);
    const fields = checked(changedRule(ofKind, body, deps.timeZone ?? 'UTC'), watch);
    const marketId = watch?.places[0].marketId ?? homeId;
    const states =
      watch === null ? [] : await initialRuleStates(tx, watch, { rule: fields, marketId, now: now() });
    await saveRule(tx, { ...fields, id }, { marketId, states, now: now() });
    return await stored(tx, id);
  });
}

/**
 * Changes a rule. Its state starts again if its params or its m of n change; when it is enabled again, all but its
 * firings do. With a first channel it sends what it reported to nobody.
 */
export async function editRule(
  { sql, now, timeZone = 'UTC' }: Pick<WatchesDeps, 'sql' | 'now' | 'timeZone'>,
  { id, watchId, market }: Rule,
  body: RuleChange,
): Promise<Rule> {
  await requireChannels(sql, body.channelIds);
  const marketId = (await findMarket(sql, market))?.id;
  if (marketId === undefined) throw noSuch('rule');
  const ofWatch = watchId === null ? null : marketsOf(await watchOf(sql, watchId));
  return await sql.begin(async (tx) => {
    await holdRules(tx, ofWatch, marketId);
    const before = await stored(tx, id);
    const watch = before.watchId === null ? null : await watchOf(tx, before.watchId);
    // Unchanged params were checked when they were stored.
    const changed = changedRule(before, body, timeZone);
    const fields = body.params === undefined ? changed : checked(changed, watch);
    const isSame = isDeepStrictEqual([before.params, before.of], [fields.params, fields.of]);
    const beginsAgain = fields.enabled && !before.enabled;
    const known = { rule: fields, marketId, now: now() };
    const fresh = isSame && !beginsAgain ? [] : await initialRuleStates(tx, watch, known);
    const old = isSame && fresh.length > 0 ? await readRuleStates(tx, id) : new Map<number, string>();
    const states = fresh.map((each) => {
      const before = old.get(each.marketId);
      if (before === undefined) return each;
      return {
        ...each,
        state: JSON.stringify(beginAnew(fields, JSON.parse(each.state), JSON.parse(before))),
      };
    });
    await saveRule(tx, { ...fields, id }, { marketId, states, now: now() });
    const notified = fields.channelIds.length > 0 ? fields.channelIds : (watch?.channelIds ?? []);
    if (notified.length > 0) await sendUnheardAlerts(tx, { ...fields, id }, now());
    return await stored(tx, id);
  });
}

const notBoth = 'cannot be combined with `watchId`: name a watch, or the offers to watch';

/** Locks the rules of a watch's markets; `ofWatch` null: those on events of a market. */
const holdRules = async (tx: Db, ofWatch: readonly number[] | null, marketId: number): Promise<void> =>
  ofWatch === null ? await holdEventRules(tx, marketId) : await holdPriceRules(tx, ofWatch);

const marketsOf = ({ places }: PlacedWatch): readonly number[] => places.map(({ marketId }) => marketId);

/** Returns when a rule would have fired. Throws a 400 for rules on events. */
export async function tryRule(
  deps: WatchesDeps,
  { ruleId, watchId, watch: offers, kind, from, to, wholeHistory = false, ...body }: Backtest,
): Promise<BacktestAnswer> {
  const { sql } = deps;
  const given = { from: readMomentParam('from', from, 'UTC'), to: readMomentParam('to', to, 'UTC') };
  const known = ruleId === undefined ? null : await stored(sql, ruleId);
  const ofKind = known?.kind ?? kind;
  const ofWatch = known?.watchId ?? watchId;
  if (ofKind === undefined) throw badField('kind', 'is missing');
  if (!isPriceRule(ofKind))
    throw badField('kind', `${ofKind} is a rule over events, which cannot be backtested`);
  const { watch, same } = await triedWatch(deps, ofWatch ?? null, offers);
  const asked = changedRule(known ?? blankRule(ofKind, ofWatch ?? null), body, deps.timeZone ?? 'UTC');
  const rule = known !== null && body.params === undefined ? asked : checked(asked, watch);
  const types = typesOfWatch(watch.filters);
  const wholes = await Promise.all(watch.places.map(({ marketId }) => findScope(sql, marketId)));
  const scopeIds = [
    ...new Set([...watch.places.map(({ scopeId }) => scopeId), ...wholes.filter((id) => id !== null)]),
  ];
  const moments = await Promise.all(scopeIds.map((scopeId) => newestMoment(sql, scopeId, types)));
  const newest = moments.flatMap((at) => at?.getTime() ?? []);
  const end =
    given.to === null
      ? new Date((newest.length === 0 ? deps.now().getTime() : Math.max(...newest)) + 1)
      : given.to;
  if (wholeHistory && given.from !== null) throw badField('from', 'cannot be combined with `wholeHistory`');
  const begin = wholeHistory
    ? await firstBookSince(sql, {
        scopeIds,
        types,
        since: new Date(end.getTime() - maxRangeDays * dayMs),
        before: end,
      })
    : (given.from ?? new Date(end.getTime() - 30 * dayMs));
  if (begin >= end) throw badField('from', 'must be before `to`');
  if (end.getTime() - begin.getTime() > maxRangeDays * dayMs)
    throw badField('from', 'may be at most a year before `to`');
  const tried = await tryMarkets(sql, watch, rule, { from: begin, to: end });
  return {
    from: begin.toISOString(),
    to: end.toISOString(),
    unit: unitOfRule(rule),
    watch: same && { id: same.id, name: same.name, channelIds: [...same.channelIds] },
    ...describeTried(tried, watch.profile.storageGb),
  };
}

/** Returns what a rule is tested on, and the stored watch of it; null: there is none. */
async function triedWatch(
  deps: WatchesDeps,
  watchId: string | null,
  offers: Backtest['watch'],
): Promise<{ watch: TriedWatch; same: Watch | null }> {
  const { sql } = deps;
  if (offers === undefined) {
    if (watchId === null) throw badField('watchId', 'is missing');
    const watch = await watchOf(sql, watchId);
    return { watch, same: watch };
  }
  if (watchId !== null) throw badField('watch', notBoth);
  const needed = await neededWatch(deps, offers);
  return { watch: await placeNeeded(sql, needed), same: await findSameWatch(sql, needed) };
}

const stored = async (db: Db, id: string): Promise<Rule> => orNoSuch(await findRule(db, id), 'rule');
const watchOf = async (db: Db, id: string): Promise<PlacedWatch> =>
  orNoSuch(await findPlacedWatch(db, id), 'watch');

/** Returns the rule with the params of its kind. */
function checked(rule: RuleFields, watch: Pick<PlacedWatch, 'filters'> | null): RuleFields {
  const read = ruleParams[rule.kind].safeParse(rule.params);
  if (!read.success) {
    throw fieldsProblem(
      bodyErrors(read.error).map(({ name, detail }) => ({ name: `params.${name}`, detail })),
    );
  }
  const reason = watch === null ? null : unfitReason(rule.kind, watch.filters);
  if (reason !== null) throw badField('watchId', `names a watch that does not fit: ${reason}`);
  return { ...rule, params: read.data };
}
