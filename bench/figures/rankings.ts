import { ensureMarket } from '../../src/books/markets.sql.ts';
import type { RankingsAnswer } from '../../src/prices/rankings/rankings.routes.ts';
import type { Bench, Measurement } from '../figure.ts';
import { landFullBook } from '../land-full-book.ts';
import { type BenchApi, openApi, quantile } from '../open-api.ts';
import { addPastDays } from '../past-days.ts';

const fullSize = 25_000;
const days = 90;
const fullRequests = 320;
const newestAt = new Date('2026-06-01T12:00:00Z');

/**
 * `/api/rankings` of a book with 90 days of hourly books before it, by all-in price with verdicts: each request with a
 * different profile, most with a different filter. The service's own work after a book is reported as a detail.
 */
export async function measureRankings(bench: Bench): Promise<Measurement[]> {
  const [offers, requests] = [bench.sized(fullSize), bench.sized(fullRequests)];
  return await bench.withDatabase(async (sql) => {
    const market = await ensureMarket(sql, 'bench', 'simulated');
    bench.note(`rankings: landing ${offers} offers`);
    const newestBookId = await landFullBook(sql, market.id, { offers, at: newestAt });
    bench.note(`rankings: writing ${days} days before it`);
    const [scope] = await sql<{ id: number }[]>`select id from scope where market_id = ${market.id}`;
    await addPastDays(sql, { scopeId: scope?.id ?? 0, newestBookId, days });
    const api = await openApi(sql, market, newestAt);
    bench.note('rankings: the days before are worked out');
    const warmedIn = await api.warmUp();
    bench.note(`rankings: ${requests} requests`);
    const times = await api.timeAll(pathOf, requests);
    const judged = await countJudged(api);
    const [counted] = await sql<{ held: number; days: number; runs: number; spans: number }[]>`
      select (select count(*) from latest_offer where book_id = ${newestBookId}) as held,
        (select count(distinct day) from pool_day) as days,
        (select count(*) from price_interval) as runs, (select count(*) from presence) as spans`;
    return [
      {
        ...{ name: 'rankings-p95', value: quantile(times, 0.95), unit: 'ms', yardstick: null },
        sizes: [
          { what: 'offers of the newest book', count: counted?.held ?? 0, atLeast: offers },
          { what: 'days of history', count: counted?.days ?? 0, atLeast: days },
          { what: 'requests with parameters of their own', count: times.length, atLeast: bench.sized(300) },
          { what: 'verdicts with a percentile', count: judged, atLeast: requests },
        ],
        details: [
          `median ${quantile(times, 0.5).toFixed(1)} ms, slowest ${quantile(times, 1).toFixed(0)} ms`,
          `working out ${days} days before the first request: ${warmedIn.toFixed(0)} ms`,
          `${counted?.runs ?? 0} price runs and ${counted?.spans ?? 0} spans of presence`,
        ],
      },
    ];
  });
}

/** Number of offers with a percentile in some responses. */
async function countJudged({ ask }: BenchApi): Promise<number> {
  let judged = 0;
  for (let turn = 0; turn < filters.length; turn += 1) {
    const { items } = await ask<RankingsAnswer>(pathOf(turn));
    const isJudged = ({ verdict }: (typeof items)[number]) =>
      verdict?.windows.some(({ status }) => status === 'ok') === true;
    judged += items.filter(isJudged).length;
  }
  return judged;
}

const models = ['RTX 4090', 'RTX 3090', 'RTX 5090', 'H100 SXM', 'A100 SXM4'];
const filters = [
  '',
  'minReliability=0.98',
  'numGpus=1&numGpus=2',
  'verification=verified&minInetDown=200',
  'country=US&country=DE&country=CA',
  'datacenter=true&minDiskGb=100',
  'minVramGb=20&maxUsdPerHour=4',
];

/** No two rounds make the same request. */
function pathOf(turn: number): string {
  const model = turn % 3 === 0 ? `&gpuName=${encodeURIComponent(models[turn % models.length] ?? '')}` : '';
  const profile = `storageGb=${20 + turn}&downGb=${turn % 50}&runningHours=${24 + turn}&stoppedHours=${turn % 7}`;
  return `/api/rankings?by=allInUsdPerHour&${profile}${model}&${filters[turn % filters.length] ?? ''}`.replace(
    /&$/,
    '',
  );
}
