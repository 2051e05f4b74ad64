import { listMarkets } from '../../books/markets.sql.ts';
import type { Finding } from '../../market/finding.ts';
import { readMarketHealth } from '../http/market-health.ts';
import type { ServiceContext } from '../service-context.ts';

/** Reports each market with a book ahead of the clock: newer ones do not show until then. Needs the tables. */
export async function examineClock(
  { config, withDatabase }: Pick<ServiceContext, 'config' | 'withDatabase'>,
  now: Date,
): Promise<Finding[]> {
  const { maxDataAgeMinutes } = config();
  return await withDatabase(async (sql) => {
    const deps = { sql, now: () => now, maxDataAgeMinutes, seeding: () => null };
    const findings: Finding[] = [];
    for (const market of await listMarkets(sql)) {
      const { state, detail, lastCompleteBook } = await readMarketHealth(deps, market);
      if (state !== 'book-ahead') continue;
      const measured = { market: market.name, now: now.toISOString(), newest: lastCompleteBook?.observedAt };
      findings.push({ subject: 'clock', status: 'failed', message: detail ?? '', measured });
    }
    return findings;
  });
}
