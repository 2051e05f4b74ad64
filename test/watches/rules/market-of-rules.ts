import { uuidv7 } from 'uuidv7';
import { type OnBookLanded, openLanding } from '../../../src/books/landing/land-book.sql.ts';
import { ensureMarket } from '../../../src/books/markets.sql.ts';
import { blankCertificate, complete, partial } from '../../../src/core/coverage.ts';
import { defaultProfile } from '../../../src/core/metric.ts';
import type { Offer, PricingType } from '../../../src/core/offer.ts';
import type { Sql } from '../../../src/database/connection.ts';
import { pointStatistics } from '../../../src/prices/statistics/point-statistics.ts';
import { initialRuleStates } from '../../../src/watches/rules/initial-rule-state.ts';
import { createBookJudge } from '../../../src/watches/rules/judge-book.ts';
import { type RuleFields, type RuleKind, ruleDefaults } from '../../../src/watches/rules/rule.ts';
import { saveRule } from '../../../src/watches/rules/rules.sql.ts';
import type { Watch, WatchFields } from '../../../src/watches/watch.ts';
import { findPlacedWatch, insertWatch } from '../../../src/watches/watches.sql.ts';
import { makeOffer } from '../../prices/made-offers.ts';

export const hourMs = 3_600_000;
export const startAt = Date.UTC(2026, 6, 1);

let made = 0;

/** A live market whose books are judged as they land. */
export interface RuleMarket {
  marketId: number;
  /** A watch of this market, and of others behind it. */
  watch: (fields?: Partial<WatchFields>, others?: readonly number[]) => Promise<Watch>;
  rule: (
    watch: Watch,
    kind: RuleKind,
    params: object,
    fields?: Partial<RuleFields>,
    at?: Date,
  ) => Promise<RuleFields & { id: string }>;
  land: (
    at: Date,
    offers: readonly Offer[],
    options?: { type?: PricingType; verdict?: 'complete' | 'partial'; replace?: boolean; scopeName?: string },
  ) => Promise<void>;
  /** What fired, by the hour of the book since the beginning. */
  fired: (ruleId: string) => Promise<number[]>;
}

/**
 * Creates one; `judge` is created again for each book to simulate a restart between books. `canRent`: whether its offers
 * can be rented.
 */
export async function makeRuleMarket(
  sql: Sql,
  newJudge?: () => OnBookLanded,
  { canRent = true }: { canRent?: boolean } = {},
): Promise<RuleMarket> {
  made += 1;
  const name = `rules-${made}`;
  const { id: marketId } = await ensureMarket(sql, name, 'live');
  const make = () =>
    createBookJudge({
      now: () => new Date(startAt),
      publicUrl: 'http://offerbook.test',
      rentMarket: canRent ? name : null,
    });
  const judge = make();
  return {
    marketId,
    watch: async (fields = {}, others = []) => {
      made += 1;
      const watch = await insertWatch(
        sql,
        [marketId, ...others],
        {
          ...{
            name: `watch ${made}`,
            filters: {},
            profile: defaultProfile,
            rankBy: 'usdPerGpuHour',
            top: 10,
          },
          ...{ schedule: { cron: '*/10 * * * *', timeZone: 'UTC' }, channelIds: [], reportSchedule: null },
          ...fields,
        },
        new Date(startAt),
      );
      if (watch === null) throw new Error('the watch was not stored');
      return watch;
    },
    rule: async (watch, kind, params, fields = {}, at = new Date(startAt)) => {
      const rule = {
        ...ruleDefaults,
        ...fields,
        id: uuidv7(),
        watchId: watch.id,
        kind,
        params: { ...params },
      };
      const states = await initialRuleStates(sql, await findPlacedWatch(sql, watch.id), {
        ...{ rule, marketId, now: at },
      });
      await saveRule(sql, rule, { marketId, states, now: at });
      return rule;
    },
    land: async (
      at,
      offers,
      { type = 'on-demand', verdict = 'complete', replace = false, scopeName = 'default' } = {},
    ) => {
      const onBookLanded = [newJudge?.() ?? judge];
      const landing = await openLanding(sql, {
        ...{ marketId, scopeName, type, replace, onBookLanded },
        allocatedStorageGb: 8,
        statistics: pointStatistics,
      });
      try {
        await landing.stage(offers.map((offer) => ({ ...offer, type })));
        await landing.land({
          ...{ observedAt: at, startedAt: at, mayBeEmpty: true },
          coverage: verdict === 'complete' ? complete('declared') : partial('declared', 'as the test says'),
          certificate: { ...blankCertificate('none'), rows: offers.length, accepted: offers.length },
        });
      } finally {
        await landing.close();
      }
    },
    fired: async (ruleId) => {
      const rows = await sql<{ at: Date }[]>`select at from alert where rule_id = ${ruleId} order by at, id`;
      return rows.map(({ at }) => (at.getTime() - startAt) / hourMs);
    },
  };
}

/** Offers of one model at these prices a GPU and hour; undefined: that machine lists none. */
export const offersAt = (...prices: (number | undefined)[]): Offer[] =>
  prices.flatMap((price, index) =>
    price === undefined
      ? []
      : [makeOffer(index + 1, { baseUsdPerHour: price, storageUsdPerGbMonth: 0, hostId: index + 1 })],
  );
