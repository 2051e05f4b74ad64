import { uuidv7 } from 'uuidv7';
import { beforeAll, expect, it } from 'vitest';
import type { Sql } from '../../../src/database/connection.ts';
import { saveChannel } from '../../../src/watches/channels/channels.sql.ts';
import { listDeliveries } from '../../../src/watches/channels/deliveries.sql.ts';
import { releaseHeldAlerts } from '../../../src/watches/rules/digests.ts';
import { listAlerts } from '../../../src/watches/rules/kept-alerts.sql.ts';
import type { RuleFields } from '../../../src/watches/rules/rule.ts';
import { editRule } from '../../../src/watches/rules/rule-changes.ts';
import { findRule } from '../../../src/watches/rules/rules.sql.ts';
import { editWatch } from '../../../src/watches/watch-changes.ts';
import { createTestDatabase } from '../../support/test-database.ts';
import { hourMs, makeRuleMarket, offersAt, startAt } from './market-of-rules.ts';

let sql: Sql;
beforeAll(async () => {
  ({ sql } = await createTestDatabase());
});

const hour = (index: number) => new Date(startAt + index * hourMs);
const below = { usd: 0.35 };

/** A rule of a watch without channels whose first book, at hour 0, makes it fire, and a channel for later. */
async function makeUnheard(fields: Partial<RuleFields> = {}) {
  const market = await makeRuleMarket(sql);
  const watch = await market.watch();
  const rule = await market.rule(watch, 'priceBelow', below, fields);
  await market.land(hour(0), offersAt(0.3));
  const channelId = uuidv7();
  await saveChannel(sql, {
    ...{ id: channelId, kind: 'file', name: channelId, config: {}, secret: null, createdAt: hour(0) },
  });
  return {
    market,
    /** Why each alert was not sent, the oldest first. */
    suppressed: async () =>
      (await listAlerts(sql, { ruleId: rule.id, after: null, limit: 10 }))
        .map((alert) => alert.suppressed)
        .reverse(),
    delivered: async (at: number) => {
      await releaseHeldAlerts(sql, hour(at));
      return (await listDeliveries(sql, { channelId, state: null, after: null, limit: 10 })).length;
    },
    attach: async (at: number) => {
      const stored = await findRule(sql, rule.id);
      if (stored !== null) await editRule({ sql, now: () => hour(at) }, stored, { channelIds: [channelId] });
    },
    attachToWatch: async (at: number) =>
      await editWatch({ sql, now: () => hour(at) }, watch.id, { channelIds: [channelId] }),
  };
}

it.each(['attach', 'attachToWatch'] as const)(
  'an alert that had no channel says so, and the first channel receives it once while its condition holds (%s)',
  async (how) => {
    const { market, suppressed, delivered, ...attaching } = await makeUnheard();
    expect(await suppressed()).toEqual(['no-channel']);
    await market.land(hour(1), offersAt(0.3));
    expect(await delivered(1)).toBe(0);
    await attaching[how](1.5);
    expect(await suppressed()).toEqual([null]);
    expect(await delivered(1.5)).toBe(1);
    await attaching[how](1.6);
    await market.land(hour(2), offersAt(0.3));
    expect([await delivered(2), await suppressed()]).toEqual([1, [null]]);
  },
);

it.each<[string, Partial<RuleFields>]>([
  ['a cooldown', { cooldownMinutes: 24 * 60 }],
  ['a rule that fires once', { rearm: 'never' }],
])('an alert that reached nobody and is over counts for nothing: not for %s', async (_, fields) => {
  const { market, suppressed, delivered, attach } = await makeUnheard(fields);
  await market.land(hour(1), offersAt(0.5));
  await attach(1.5);
  expect([await delivered(1.5), await suppressed()]).toEqual([0, ['no-channel']]);
  await market.land(hour(2), offersAt(0.3));
  expect([await delivered(2), await suppressed()]).toEqual([1, ['no-channel', null]]);
});

it('a digest without a channel says so when it is due, and is sent with the next one once there is a channel', async () => {
  const { suppressed, delivered, attach } = await makeUnheard({
    digest: { cron: '0 8 * * *', timeZone: 'UTC' },
  });
  expect(await suppressed()).toEqual([null]);
  expect([await delivered(8), await suppressed()]).toEqual([0, ['no-channel']]);
  await attach(9);
  expect([await delivered(9), await delivered(32), await suppressed()]).toEqual([0, 1, [null]]);
});
