import { beforeAll, describe, expect, it } from 'vitest';
import { readRecordedBooks } from '../../../src/books/import/recorded-books.ts';
import { ensureScope } from '../../../src/books/markets.sql.ts';
import type { Sql } from '../../../src/database/connection.ts';
import { createSimulator } from '../../../src/simulator/simulator.ts';
import { compareWithExpected } from '../../support/expected-rows.ts';
import { hasRecordedData, marketBookFiles } from '../../support/recorded-data.ts';
import { createTestDatabase } from '../../support/test-database.ts';
import { crawl, createTestCrawler } from './test-crawler.ts';

describe.skipIf(!hasRecordedData)('the recorded books replayed by the simulator', () => {
  let sql: Sql;

  beforeAll(async () => {
    ({ sql } = await createTestDatabase());
  });

  it('give, crawled page by page at their moments, the 1,814 rows that their import gives', async () => {
    const replay = (await Promise.all(marketBookFiles.map(readRecordedBooks))).flat();
    let clock = new Date(Math.min(...replay.map(({ observedAt }) => observedAt.getTime())));
    const now = (): Date => clock;
    const simulator = createSimulator({ replay, cap: 300, now });
    const { url } = await simulator.listen();
    const crawler = await createTestCrawler(sql, { url, apiKey: simulator.apiKey }, { now, pageLimit: 5000 });
    for (const { observedAt, type, records } of replay) {
      clock = observedAt;
      const outcome = await crawl(crawler, type);
      expect(outcome).toMatchObject({
        kind: 'complete',
        offers: records.length,
        certificate: { paging: 'id' },
      });
    }
    await simulator.close();
    const scopeId = await ensureScope(sql, crawler.marketId, 'default');
    expect(await compareWithExpected(sql, scopeId)).toEqual({ rows: 1814, points: 1814, problems: [] });
  });
});
