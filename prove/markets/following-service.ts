import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../src/core/log.ts';
import { loadConfig } from '../../src/service/config.ts';
import { createServiceApp } from '../../src/service/http/service-app.ts';
import { openRuntime } from '../../src/service/runtime.ts';
import { startServiceWork } from '../../src/service/service-work.ts';
import { addressOf } from '../crawl/service-process.ts';
import type { ProofDatabase } from '../proof-databases.ts';
import { compareContents, readStoredContents, type StoredContents } from '../stored-contents.ts';

/** A service in this process that crawls markets by the proof's clock. */
export interface FollowingService {
  /** Milliseconds until both crawls of a market's tick were complete; null: not within the time limit. */
  untilCrawled: (market: string, tick: Date) => Promise<number | null>;
  /** Running crawls of a market. */
  openCrawls: (market: string) => Promise<number>;
  /** Ended crawls of a market's offers by outcome. */
  outcomes: (market: string) => Promise<Record<string, number>>;
  /** Queues a crawl of a market, as a user would. */
  order: (market: string) => Promise<void>;
  /** Everything stored of a market: contents of books, when each was crawled, figures of the API. */
  readMarket: (market: string) => Promise<MarketState>;
  close: () => Promise<void>;
}

/** What must be equal for two services. */
export interface MarketState {
  contents: StoredContents;
  /** Crawls and answers of the API as JSON, by name. */
  texts: Readonly<Record<string, string>>;
}

const patienceMs = 30_000;
const quiet: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const whoever = { id: '', kind: 'token', role: 'admin', name: 'the proof' } as const;

/** Starts a service with the markets of `settings`, and its API. */
export async function startFollowing(
  { target, sql }: ProofDatabase,
  { settings, now }: { settings: Record<string, string>; now: () => Date },
): Promise<FollowingService> {
  const config = loadConfig({
    ...{ DATABASE_URL: addressOf(target), SECRETS_KEY: 'a-key-of-the-proofs', SEARCHES_PER_MINUTE: '100000' },
    ...settings,
  });
  const runtime = await openRuntime(config, quiet, { isService: true, now });
  const work = await startServiceWork(runtime);
  const app = createServiceApp(runtime, work, { caller: whoever });
  const ask = async (path: string): Promise<string> => {
    const answer = await app.request(path);
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return await answer.text();
  };
  const complete = async (market: string, tick: Date): Promise<number> => {
    const [row] = await sql<{ crawls: number }[]>`
      select count(*)::int as crawls from crawl c join market m on m.id = c.market_id
      where m.name = ${market} and c.kind = 'offers' and c.tick_at = ${tick} and c.outcome = 'complete'`;
    return row?.crawls ?? 0;
  };
  return {
    untilCrawled: async (market, tick) => {
      const begunAt = performance.now();
      const tookMs = (): number => performance.now() - begunAt;
      while ((await complete(market, tick)) < 2) {
        if (tookMs() > patienceMs) return null;
        await delay(20);
      }
      return tookMs();
    },
    openCrawls: async (market) => {
      const [row] = await sql<{ crawls: number }[]>`
        select count(*)::int as crawls from crawl c join market m on m.id = c.market_id
        where m.name = ${market} and c.kind = 'offers' and c.outcome is null`;
      return row?.crawls ?? 0;
    },
    outcomes: async (market) => {
      const rows = await sql<{ outcome: string; crawls: number }[]>`
        select outcome, count(*)::int as crawls from crawl c join market m on m.id = c.market_id
        where m.name = ${market} and c.kind = 'offers' and c.outcome is not null group by 1 order by 1`;
      return Object.fromEntries(rows.map(({ outcome, crawls }) => [outcome, crawls]));
    },
    order: async (market) => {
      await work.crawlNow({ market });
    },
    readMarket: async (market) => {
      const crawls = await sql`
        select type, scope_name, cause, tick_at, started_at, outcome, reason
        from crawl c join market m on m.id = c.market_id
        where m.name = ${market} and c.kind = 'offers' order by tick_at, type`;
      const named = `market=${encodeURIComponent(market)}`;
      const { gpuNames } = JSON.parse(await ask(`/api/status?${named}`)) as { gpuNames: string[] };
      const model = (name: string): string => `${named}&gpuName=${encodeURIComponent(name)}`;
      const paths = [
        ...['on-demand', 'bid'].map((type) => `/api/market?${named}&type=${type}`),
        `/api/trends?${named}&bucket=book`,
        ...gpuNames.flatMap((name) => [`/api/trends?${model(name)}`, `/api/index?${model(name)}`]),
      ];
      const texts: Record<string, string> = { crawls: JSON.stringify(crawls) };
      for (const path of paths) texts[path] = await ask(path);
      return { contents: ofMarket(await readStoredContents(sql), market), texts };
    },
    close: async () => {
      await work.stop();
      await runtime.close();
    },
  };
}

/** Returns the rows of one market, whose name is the first part of every row's key. */
const ofMarket = (contents: StoredContents, market: string): StoredContents =>
  Object.fromEntries(
    Object.entries(contents).map(([table, rows]) => [
      table,
      rows.filter((row) => row.includes(`"${market}|`)),
    ]),
  );

/** Returns the differences of what two services store of a market, one line each; empty if there are none. */
export function compareMarkets(alone: MarketState, beside: MarketState): string[] {
  const names = new Set([...Object.keys(alone.texts), ...Object.keys(beside.texts)]);
  return [
    ...compareContents(alone.contents, beside.contents),
    ...[...names].flatMap((name) => differenceOf(name, alone.texts[name] ?? '', beside.texts[name] ?? '')),
  ];
}

/** Returns where two texts begin to differ, in one line; none if they are equal. */
function differenceOf(name: string, alone: string, beside: string): string[] {
  if (alone === beside) return [];
  let at = 0;
  while (alone[at] === beside[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 80), at + 80);
  return [`${name}: alone …${around(alone)}…, beside …${around(beside)}…`];
}
