// A crawl of one book in a separate process that reports how much its memory grew. Arguments: an IngestTask as JSON;
// prints an IngestGrowth.
import { readFileSync, writeFileSync } from 'node:fs';
import { crawlOffers } from '../src/books/crawl/crawl-offers.ts';
import { defaultScope } from '../src/core/crawl-scope.ts';
import { connect, type DatabaseTarget } from '../src/database/connection.ts';
import { createMarketClient } from '../src/market/vast/client.ts';
import { createCrawlBook } from '../src/market/vast/crawl/crawl-book.ts';
import { defaultDialect, withoutIntervals } from '../src/market/vast/dialect.ts';
import { pointStatistics } from '../src/prices/statistics/point-statistics.ts';

export interface IngestTask {
  target: DatabaseTarget;
  marketId: number;
  url: string;
  apiKey: string;
  rowsPerPage: number;
}

export interface IngestGrowth {
  /** Resident memory before the first request, bytes. */
  before: number;
  /** Maximum resident memory until the book was stored, bytes. */
  peak: number;
  /** Size of the largest response, bytes. */
  largestBody: number;
  offers: number;
  outcome: string;
}

const nothing = (): void => {};
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

async function crawl({ target, marketId, url, apiKey, rowsPerPage }: IngestTask): Promise<IngestGrowth> {
  const sql = connect(target, { max: 2, applicationName: 'offerbook-bench' });
  await sql`select 1`;
  const client = createMarketClient({
    ...{ baseUrl: url, apiKey, dialect: withoutIntervals(defaultDialect), maxBodyBytes: 256e6, log },
  });
  let largestBody = 0;
  const searchOffers: typeof client.searchOffers = async (...ask) => {
    const page = await client.searchOffers(...ask);
    largestBody = Math.max(largestBody, page.bodyBytes);
    return page;
  };
  const highest = watchPeak();
  const before = process.memoryUsage().rss;
  const [outcome] = await crawlOffers(
    {
      ...{ sql, marketId, log, now: () => new Date() },
      crawlBook: createCrawlBook({ searchOffers }, { ...defaultDialect.search, pageLimit: rowsPerPage }),
      ...{ allocatedStorageGb: 8, statistics: pointStatistics, maxBookMinutes: 120 },
    },
    {
      type: 'on-demand',
      crawls: [
        {
          ...{
            crawlId: crypto.randomUUID(),
            scope: defaultScope,
            cause: 'command',
            tickAt: null,
            jobId: null,
          },
        },
      ],
    },
  );
  const peak = highest();
  await client.close();
  await sql.end();
  const kind = outcome?.kind ?? 'none';
  const offers = outcome !== undefined && 'offers' in outcome ? outcome.offers : 0;
  const reason = outcome !== undefined && 'reason' in outcome ? `: ${outcome.reason}` : '';
  return { before, peak, largestBody, offers, outcome: `${kind}${reason}` };
}

/** The highest resident memory from now on: from the kernel if possible, else by sampling. */
function watchPeak(): () => number {
  let peak = 0;
  const look = (): void => {
    peak = Math.max(peak, process.memoryUsage().rss);
  };
  setInterval(look, 2).unref();
  try {
    // Resets the kernel's peak.
    writeFileSync('/proc/self/clear_refs', '5');
    return () => {
      look();
      const [, kb = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
      return Math.max(peak, Number(kb) * 1024);
    };
  } catch {
    return () => {
      look();
      return peak;
    };
  }
}

process.stdout.write(JSON.stringify(await crawl(JSON.parse(process.argv[2] ?? '{}') as IngestTask)));
