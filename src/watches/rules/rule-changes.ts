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
import { typesOfWatch } from '../watch.ts';
import { requireChannels } from '../watch-changes.ts';
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
  { market, watchId = null, kind, ...body }: NewRule,
): Promise<Rule> {
  const { sql, now } = deps;
  await requireChannels(sql, body.channelIds);
  const placed = watchId === null ? null : await watchOf(sql, watchId);
  if (isPriceRule(kind) && placed === null)
    throw badField('watchId', `is missing: a ${kind} rule belongs to a watch`);
  if (!isPriceRule(kind) && placed !== null)
    throw badField('watchId', `does not apply: a ${kind} rule watches events, not offers`);
  const homeId = placed?.places[0].marketId ?? (await chooseMarket(deps, market)).id;
  const id = uuidv7();
  return await sql.begin(async (tx) => {
    await holdRules(tx, placed, homeId);
    const watch = watchId === null ? null : await watchOf(tx, watchId);
    const fields = checked(changedRule(blankRule(kind, watchId), body, deps.timeZone ?? 'UTC'), watch);
    const marketId = watch?.places[0].marketId ?? homeId;
    const states =
      watch === null ? [] : await initialRuleStates(tx, watch, { rule: fields, marketId, now: now() });
    await saveRule(tx, { ...fields, id }, { marketId, states, now: now() });
    return await stored(tx, id);
  });
}

/**
 * Changes a rule. Its state starts again if its params or its m of n change; when it is enabled again, all but its
 * firings do.
 */
export async function editRule(
  { sql, now, timeZone = 'UTC' }: Pick<WatchesDeps, 'sql' | 'now' | 'timeZone'>,
  { id, watchId, market }: Rule,
  body: RuleChange,
): Promise<Rule> {
  await requireChannels(sql, body.channelIds);
  const marketId = (await findMarket(sql, market))?.id;
  if (marketId === undefined) throw noSuch('rule');
  const placed = watchId === null ? null : await watchOf(sql, watchId);
  return await sql.begin(async (tx) => {
    await holdRules(tx, placed, marketId);
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
    return await stored(tx, id);
  });
}

const holdRules = async (tx: Db, watch: PlacedWatch | null, marketId: number): Promise<void> =>
  watch === null
    ? await holdEventRules(tx, marketId)
    : await holdPriceRules(
        tx,
        watch.places.map((place) => place.marketId),
      );

/** Returns when a rule would have fired. Throws a 400 for rules on events. */
export async function tryRule(
  deps: WatchesDeps,
  { ruleId, watchId, kind, from, to, wholeHistory = false, ...body }: Backtest,
): Promise<BacktestAnswer> {
  const { sql } = deps;
  const given = { from: readMomentParam('from', from, 'UTC'), to: readMomentParam('to', to, 'UTC') };
  const known = ruleId === undefined ? null : await stored(sql, ruleId);
  const ofKind = known?.kind ?? kind;
  const ofWatch = known?.watchId ?? watchId;
  if (ofKind === undefined) throw badField('kind', 'is missing');
  if (!isPriceRule(ofKind))
    throw badField('kind', `${ofKind} is a rule over events, which cannot be backtested`);
  if (ofWatch == null) throw badField('watchId', 'is missing');
  const watch = await watchOf(sql, ofWatch);
  const asked = changedRule(known ?? blankRule(ofKind, ofWatch), body, deps.timeZone ?? 'UTC');
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
    ...describeTried(tried, watch.profile.storageGb),
  };
}

const stored = async (db: Db, id: string): Promise<Rule> => orNoSuch(await findRule(db, id), 'rule');
const watchOf = async (db: Db, id: string): Promise<PlacedWatch> =>
  orNoSuch(await findPlacedWatch(db, id), 'watch');

/** Returns the rule with the params of its kind. */
function checked(rule: RuleFields, watch: PlacedWatch | null): RuleFields {
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
