import { readFile } from 'node:fs/promises';
import { makeBookPages } from '../../bench/full-offers.ts';
import { landFullBook } from '../../bench/land-full-book.ts';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { connect, type Sql } from '../../src/database/connection.ts';
import type { Proof, ProofOptions } from '../proof.ts';
import { openProofDatabases } from '../proof-databases.ts';
import { findHalfBooks } from '../whole-books.ts';

const offers = 25_000;
const marketsAtOnce = [1, 2, 4];
const planned = { markets: 100, booksPerMinute: 1 };
const name = 'offerbook landings';
/** Ticks of the system's clock per second of a process's time. */
const ticksPerSecond = 100;

/**
 * Lands full books of several markets at once, `runs` per market after the first, and says how many a minute that makes
 * and what one costs. The cores that the planned markets need follow from the time of the processor, not from the pace
 * here, which is that of a machine that is busy with other work.
 */
export async function measureLandings({ log, server, runs = 2 }: ProofOptions): Promise<Proof> {
  const databases = await openProofDatabases(server, log);
  const counts: Record<string, number> = {};
  const failures: string[] = [];
  try {
    const { target, sql: admin } = await databases.create();
    const moments = Array.from(
      { length: runs + 1 },
      (_, minute) => new Date(Date.UTC(2026, 6, 20, 12, minute)),
    );
    const books = moments.map((at) => ({ at, pages: makeBookPages({ offers, rowsPerPage: 5_000, at }) }));
    for (const markets of marketsAtOnce) {
      const sql = connect(target, { max: 4, applicationName: name });
      const ids = await Promise.all(
        Array.from({ length: markets }, async (_, number) => {
          const { id } = await ensureMarket(sql, `market ${markets}-${number}`, 'live');
          return id;
        }),
      );
      const land = async ([first, ...others]: typeof books): Promise<void> => {
        if (first === undefined) return;
        await Promise.all(ids.map(async (id) => await landFullBook(sql, id, { offers, ...first })));
        await land(others);
      };
      await land(books.slice(0, 1));
      const before = await readCosts(admin);
      await land(books.slice(1));
      const after = await readCosts(admin);
      await sql.end();
      const landed = markets * runs;
      const per = (cost: keyof Costs): number => (after[cost] - before[cost]) / landed;
      const label = markets === 1 ? '1 market' : `${markets} markets at once`;
      counts[`${label}: books a minute`] = round(60 / per('seconds'));
      counts[`${label}: s of the worker's processor a book`] = round(per('worker'));
      counts[`${label}: s of PostgreSQL's processor a book`] = round(per('postgres'));
      counts[`${label}: MB of WAL a book`] = round(per('walBytes') / 1e6);
      counts[`${label}: MB of database a book`] = round(per('bytes') / 1e6);
      log.info({ markets, landed }, 'landed');
      const cores = (cost: 'worker' | 'postgres'): number =>
        round((per(cost) * planned.markets * planned.booksPerMinute) / 60);
      counts[`${label}: cores of workers for 100 markets a minute`] = cores('worker');
      counts[`${label}: cores of PostgreSQL for 100 markets a minute`] = cores('postgres');
    }
    failures.push(...(await findHalfBooks(admin)));
    return { ok: failures.length === 0, counts, failures };
  } finally {
    await databases.close();
  }
}

interface Costs {
  seconds: number;
  worker: number;
  postgres: number;
  walBytes: number;
  bytes: number;
}

async function readCosts(sql: Sql): Promise<Costs> {
  const [row] = await sql<{ walBytes: number; bytes: number }[]>`
    select (pg_current_wal_insert_lsn() - '0/0')::float8 as "walBytes",
      pg_database_size(current_database())::float8 as bytes`;
  const sessions = await sql<
    { pid: number }[]
  >`select pid from pg_stat_activity where application_name = ${name}`;
  const { user, system } = process.cpuUsage();
  return {
    seconds: performance.now() / 1_000,
    worker: (user + system) / 1e6,
    postgres: (await Promise.all(sessions.map(({ pid }) => secondsOf(pid)))).reduce(
      (sum, one) => sum + one,
      0,
    ),
    walBytes: row?.walBytes ?? 0,
    bytes: row?.bytes ?? 0,
  };
}

/** Seconds of processor time that a process has used. */
async function secondsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return 0;
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) / ticksPerSecond;
}

const round = (value: number): number => Math.round(value * 100) / 100;
