import { readFileSync } from 'node:fs';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ensureMarket, ensureScope } from '../../src/books/markets.sql.ts';
import { defaultRetention } from '../../src/books/old-statistics.sql.ts';
import type { Sql } from '../../src/database/connection.ts';
import { publishEventNow } from '../../src/rentals/events.sql.ts';
import { dropOldRows, retentionRules, startRetention } from '../../src/service/retention.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestDatabase } from '../support/test-database.ts';

const now = new Date('2026-07-30T12:00:00Z');
const daysAgo = (days: number): Date => new Date(now.getTime() - days * 86_400_000);

/** How the table of docs/meaning.md says it. */
const documentedDays = (days: number | null): string =>
  days === null ? '`RETAIN_POINTS_DAYS` (14)' : days === 1 ? '1 day' : `${days} days`;

/** Of each rule: writes a row of a moment, the days that the rule keeps, and the moments whose rows are there. */
interface Kept {
  days: number;
  write: (at: Date) => Promise<unknown>;
  moments: () => Promise<Date[]>;
}

describe('retention', () => {
  let sql: Sql;
  let kept: Record<string, Kept>;
  const options = () => ({ sql, retention: defaultRetention, log: silentLog, now: () => now });
  const momentsIn = (table: string, column: string) => async (): Promise<Date[]> => {
    const rows = await sql<{ at: Date }[]>`select ${sql(column)} as at from ${sql(table)} order by 1`;
    return rows.map(({ at }) => at);
  };

  beforeAll(async () => {
    ({ sql } = await createTestDatabase());
    const { id: marketId } = await ensureMarket(sql, 'shop', 'live');
    const scopeId = await ensureScope(sql, marketId, 'default');
    const channelId = uuidv7();
    await sql`insert into channel (id, kind, name, config, created_at)
      values (${channelId}, 'file', 'file', '{}', ${now})`;
    // Statistics are counted back from the newest book; how they go is for test/books/old-statistics.test.ts.
    await sql`insert into book (scope_id, type, observed_at, started_at, verdict, proof, content_hash, offers,
        allocated_storage_gb, certificate)
      values (${scopeId}, 'on-demand', ${now}, ${now}, 'complete', 'proved', '', 0, 8, '{}')`;
    kept = {
      statistics: {
        days: 121,
        write: (at) => sql`insert into pool_day (scope_id, type, day, newest_book_id)
          values (${scopeId}, 'on-demand', ${at}::timestamptz::date, 0)`,
        moments: momentsIn('pool_day', 'day'),
      },
      'instance-samples': {
        days: 7,
        write: async (at) => {
          await sql`insert into instance_poll (market_id, polled_at, instances, unidentified)
            values (${marketId}, ${at}, 1, 0)`;
          await sql`insert into instance_sample (market_id, instance_id, polled_at, gpu_util_percent)
            values (${marketId}, 1, ${at}, 50)`;
        },
        moments: momentsIn('instance_sample', 'polled_at'),
      },
      deliveries: {
        days: 90,
        write: (at) => sql`
          insert into delivery (id, channel_id, notice, kind, title, state, created_at, next_attempt_at, ended_at)
          values (${uuidv7()}, ${channelId}, '{}', 'alert', 'x', 'sent', ${at}, ${at}, ${at})`,
        moments: momentsIn('delivery', 'ended_at'),
      },
      events: {
        days: 1,
        write: (at) => publishEventNow(sql, { at, marketId: null, kind: 'crawl', data: {} }),
        moments: momentsIn('event', 'at'),
      },
    };
  });

  it('has a test, a unique name and a documented line for every rule', () => {
    expect(retentionRules.map(({ name }) => name).sort()).toEqual(Object.keys(kept).sort());
    const text = readFileSync(new URL('../../docs/meaning.md', import.meta.url), 'utf8');
    for (const { what, days } of retentionRules) {
      expect(text).toContain(`| ${what} | ${documentedDays(days)}`);
    }
  });

  it('deletes with every rule what is older than its days, and nothing newer', async () => {
    const wanted: Record<string, number> = {};
    for (const [name, { days, write }] of Object.entries(kept)) {
      for (const age of [days + 2, days + 1.5, days - 1, 0]) await write(daysAgo(age));
      wanted[name] = name === 'instance-samples' ? 4 : 2;
    }
    // A delivery that still waits is never too old.
    await sql`update delivery set state = 'queued', ended_at = null where ended_at = ${daysAgo(91.5)}`;
    wanted.deliveries = 1;
    expect(await dropOldRows(options())).toEqual(wanted);
    for (const [name, { days, moments }] of Object.entries(kept)) {
      const left = (await moments()).filter((at) => at !== null);
      expect(left, name).toHaveLength(2);
      expect(Math.min(...left.map((at) => at.getTime())), name).toBeGreaterThan(
        daysAgo(days + 0.5).getTime(),
      );
    }
    expect(await dropOldRows(options())).toEqual(
      Object.fromEntries(Object.keys(kept).map((name) => [name, 0])),
    );
  });

  it('keeps the newest poll of a market that is no longer polled', async () => {
    const { id: marketId } = await ensureMarket(sql, 'left', 'live');
    for (const age of [40, 30]) {
      await sql`insert into instance_poll (market_id, polled_at, instances, unidentified)
        values (${marketId}, ${daysAgo(age)}, 0, 0)`;
    }
    expect(await dropOldRows(options())).toMatchObject({ 'instance-samples': 1 });
    const polls = await sql`select polled_at as at from instance_poll where market_id = ${marketId}`;
    expect(polls.map(({ at }) => at)).toEqual([daysAgo(30)]);
  });

  it('continues with the other rules if one fails, and names it', async () => {
    await kept.events?.write(daysAgo(3));
    await sql`alter table delivery rename to delivery_away`;
    onTestFinished(async () => void (await sql`alter table delivery_away rename to delivery`));
    const warned: object[] = [];
    const log = { ...silentLog, warn: (fields: object) => void warned.push(fields) };
    expect(await dropOldRows({ ...options(), log })).toMatchObject({ deliveries: null, events: 1 });
    expect(warned).toMatchObject([{ rule: 'deliveries' }]);
  });

  it('starts at once, and ends when it is stopped', async () => {
    await kept.events?.write(daysAgo(3));
    const retention = startRetention(options());
    await expect.poll(async () => (await kept.events?.moments())?.[0]).toEqual(daysAgo(0));
    await retention.stop();
  });
});
