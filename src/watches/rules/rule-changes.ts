import { isDeepStrictEqual } from 'node:util';
import type { z } from '@hono/zod-openapi';
import { uuidv7 } from 'uuidv7';
import { chooseMarket } from '../../books/choose-market.ts';
import { findMarket } from '../../books/markets.sql.ts';
import { findScope, firstBookSince, newestMoment } from '../../books/newest-books.sql.ts';
import { bodyErrors, fieldsProblem } from '../../core/http/body-errors.ts';
import { badField, noSuch } from '../../core/http/problem.ts';
import { readMomentParam } from '../../core/http/time-range.ts';
import { usdPerHour } from '../../core/price.ts';
import type { Db } from '../../database/connection.ts';
import { typesOfWatch } from '../watch.ts';
import { requireChannels } from '../watch-changes.ts';
import { findWatch, type PlacedWatch, watchScope } from '../watches.sql.ts';
import type { WatchesDeps } from '../watches-deps.ts';
import { backtestRule } from './backtest.ts';
import { initialRuleState } from './initial-rule-state.ts';
import { isPriceRule, type Rule, type RuleFields, type RuleKind, unitOfRule } from './rule.ts';
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
import { findRule, holdEventRules, holdPriceRules, readRuleState, saveRule } from './rules.sql.ts';
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
  const marketId = placed?.marketId ?? (await chooseMarket(deps, market)).id;
  const id = uuidv7();
  return await sql.begin(async (tx) => {
    await holdRules(tx, kind, marketId);
    const watch = watchId === null ? null : await watchOf(tx, watchId);
    const fields = checked(changedRule(blankRule(kind, watchId), body, deps.timeZone ?? 'UTC'), watch);
    const state = watch === null ? null : await initialRuleState(tx, watch, fields, now());
    await saveRule(tx, { ...fields, id }, { marketId, state, now: now() });
    return await stored(tx, id);
  });
}

/**
 * Changes a rule. Its state starts again if its params or its m of n change; when it is enabled again, all but its
 * firings do.
 */
export async function editRule(
  { sql, now, timeZone = 'UTC' }: Pick<WatchesDeps, 'sql' | 'now' | 'timeZone'>,
  { id, kind, market }: Rule,
  body: RuleChange,
): Promise<Rule> {
  await requireChannels(sql, body.channelIds);
  const marketId = (await findMarket(sql, market))?.id;
  if (marketId === undefined) throw noSuch('rule');
  return await sql.begin(async (tx) => {
    await holdRules(tx, kind, marketId);
    const before = await stored(tx, id);
    const watch = before.watchId === null ? null : await watchOf(tx, before.watchId);
    // Unchanged params were checked when they were stored.
    const changed = changedRule(before, body, timeZone);
    const fields = body.params === undefined ? changed : checked(changed, watch);
    const isSame = isDeepStrictEqual([before.params, before.of], [fields.params, fields.of]);
    const beginsAgain = fields.enabled && !before.enabled;
    const fresh = isSame && !beginsAgain ? null : await initialRuleState(tx, watch, fields, now());
    const old = isSame && fresh !== null ? await readRuleState(tx, id) : null;
    const state =
      fresh === null || old === null
        ? fresh
        : { ...fresh, state: JSON.stringify(beginAnew(fields, JSON.parse(fresh.state), JSON.parse(old))) };
    await saveRule(tx, { ...fields, id }, { marketId, state, now: now() });
    return await stored(tx, id);
  });
}

const holdRules = async (tx: Db, kind: RuleKind, marketId: number): Promise<void> =>
  await (isPriceRule(kind) ? holdPriceRules : holdEventRules)(tx, marketId);

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
  const { marketId } = watch;
  const defaultScopeId = (await findScope(sql, marketId)) ?? watch.scopeId;
  const types = typesOfWatch(watch.filters);
  const newest = [
    await newestMoment(sql, defaultScopeId, types),
    await newestMoment(sql, watch.scopeId, types),
  ].flatMap((at) => at?.getTime() ?? []);
  const end =
    given.to === null
      ? new Date((newest.length === 0 ? deps.now().getTime() : Math.max(...newest)) + 1)
      : given.to;
  if (wholeHistory && given.from !== null) throw badField('from', 'cannot be combined with `wholeHistory`');
  const begin = wholeHistory
    ? await firstBookSince(sql, {
        scopeIds: [defaultScopeId, watch.scopeId],
        types,
        since: new Date(end.getTime() - maxRangeDays * dayMs),
        before: end,
      })
    : (given.from ?? new Date(end.getTime() - 30 * dayMs));
  if (begin >= end) throw badField('from', 'must be before `to`');
  if (end.getTime() - begin.getTime() > maxRangeDays * dayMs)
    throw badField('from', 'may be at most a year before `to`');
  const { books, firings, now } = await backtestRule(sql, { marketId, watch, rule, from: begin, to: end });
  return {
    from: begin.toISOString(),
    to: end.toISOString(),
    books,
    unit: unitOfRule(rule),
    now: now === null ? null : { ...now, at: now.at.toISOString() },
    count: firings.filter(({ capped }) => !capped).length,
    firings: firings.map(({ at, bookId, value, baseline, previous, capped, offer }) => ({
      at: at.toISOString(),
      bookId: String(bookId),
      value,
      baseline,
      previous,
      capped,
      offer:
        offer === null
          ? null
          : {
              listingId: String(offer.listingId),
              machineId: offer.machineId,
              gpuName: offer.gpuName,
              numGpus: offer.numGpus,
              usdPerHour: usdPerHour(offer, watch.profile.storageGb),
            },
    })),
  };
}

async function stored(db: Db, id: string): Promise<Rule> {
  const rule = await findRule(db, id);
  if (rule === null) throw noSuch('rule');
  return rule;
}

async function watchOf(db: Db, id: string): Promise<PlacedWatch> {
  const [watch, place] = [await findWatch(db, id), await watchScope(db, id)];
  if (watch === null || place === null) throw noSuch('watch');
  return { ...watch, ...place };
}

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
