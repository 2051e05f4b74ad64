import { beforeAll, describe, expect, it } from 'vitest';
import type { Sql } from '../../../src/database/connection.ts';
import { type ListingDay, solveDenseIndex } from '../../support/dense-index.ts';
import { hasRecordedData, marketBookFiles } from '../../support/recorded-data.ts';
import { importRecorded } from '../../support/recorded-import.ts';
import { createTestDatabase } from '../../support/test-database.ts';
import { type RecordedLine, readLines } from '../recorded-records.ts';

/** A line with the host, which no other test needs. */
type HostedLine = RecordedLine & { host_id: number };

interface StoredDay {
  type: string;
  gpuName: string;
  day: number;
  movementDays: number | null;
  movement: number | null;
  movementError: number | null;
  weekDays: number | null;
  week: number | null;
  weekError: number | null;
  observations: number;
  listingsLeftOut: number;
}

describe.skipIf(!hasRecordedData)('the index of the recorded books', { timeout: 300_000 }, () => {
  let sql: Sql;
  let stored: StoredDay[];
  let books: Map<string, ReturnType<typeof observe>>;

  beforeAll(async () => {
    ({ sql } = await createTestDatabase());
    await importRecorded(sql, marketBookFiles);
    stored = await sql<StoredDay[]>`
      select d.type, g.name as "gpuName", d.day - '1970-01-01'::date as day, movement_days as "movementDays", movement,
        movement_error as "movementError", week_days as "weekDays", week, week_error as "weekError", observations,
        listings_left_out as "listingsLeftOut"
      from index_day d join gpu_model g on g.id = d.gpu_model_id order by 1, 2, 3`;
    const lines = readLines(marketBookFiles) as HostedLine[];
    const series = Map.groupBy(lines, ({ rental_type, gpu_name }) => `${rental_type}|${gpu_name}`);
    books = new Map([...series].map(([key, own]) => [key, observe(own)]));
  }, 600_000);

  it('equals a plain dense regression over the raw files, for every model, type and day', () => {
    const problems: string[] = [];
    let [compared, errors] = [0, 0];
    const near = (what: string, own: number | null, oracle: number | null | undefined): void => {
      const isNear =
        own === null || oracle == null ? own === (oracle ?? null) : Math.abs(own - oracle) < 1e-9;
      if (!isNear) problems.push(`${what}: ${own}, not ${oracle}`);
    };
    for (const row of stored) {
      const key = `${row.type}|${row.gpuName}`;
      const own = books.get(key);
      // Later days are not in the window, and which listings cannot be told apart depends on its days.
      const within = own?.observations.filter(({ day }) => day <= row.day) ?? [];
      const unclear = new Set(own?.unclear.filter(({ day }) => day <= row.day).map(({ group }) => group));
      const used = within.filter(({ group }) => !unclear.has(group));
      const oracle = solveDenseIndex(used, row.day);
      const previous = oracle?.days.at(-2);
      const what = `${key} ${row.day}`;
      near(`${what} observations`, row.observations, oracle?.observations);
      near(`${what} left out`, row.listingsLeftOut, listingsOf(within) - listingsOf(used));
      near(`${what} day`, row.movementDays, previous === undefined ? null : row.day - previous);
      near(what, row.movement, previous === undefined ? null : oracle?.changes.get(previous));
      near(`${what} error`, row.movementError, previous === undefined ? null : oracle?.errors.get(previous));
      if (row.weekDays !== null) {
        near(`${what} week`, row.week, oracle?.changes.get(row.day - row.weekDays));
        near(`${what} week's error`, row.weekError, oracle?.errors.get(row.day - row.weekDays));
      }
      compared += 1;
      if (row.movementError !== null) errors += 1;
    }
    expect(problems).toEqual([]);
    expect([compared > 1000, errors > 500]).toEqual([true, true]);
  });

  it('has a day for every model, type and book with a usable price in the files', () => {
    const expected = [...books].flatMap(([key, own]) => {
      const days = [...new Set(own.observations.map(({ day }) => day))];
      return days.flatMap((day) => {
        const unclear = new Set(own.unclear.filter((each) => each.day <= day).map(({ group }) => group));
        const isUsed = own.observations.some((each) => each.day === day && !unclear.has(each.group));
        return isUsed ? [`${key}|${day}`] : [];
      });
    });
    expect(stored.map(({ type, gpuName, day }) => `${type}|${gpuName}|${day}`).sort()).toEqual(
      expected.sort(),
    );
  });
});

const listingsOf = (days: readonly ListingDay[]): number => new Set(days.map(({ listing }) => listing)).size;

/** Listing-days of one model and type, and on which days listings that differ only in their ordinal had other prices. */
function observe(lines: readonly HostedLine[]) {
  const observations: (ListingDay & { group: string })[] = [];
  const unclear: { group: string; day: number }[] = [];
  const groups = Map.groupBy(lines, (line) => `${line.scraped_at}|${line.machine_id}|${line.num_gpus}`);
  for (const own of groups.values()) {
    own.sort((a, b) => a.dph_base - b.dph_base || a.id - b.id);
    const prices = own.map((line) => (line.dph_base + (line.storage_cost * 8) / 720) / line.num_gpus);
    for (const [place, line] of own.entries()) {
      const day = Math.floor(Date.parse(line.scraped_at) / 86_400_000);
      const group = `${line.machine_id}|${line.num_gpus}`;
      if (prices.some((price) => price !== prices[0])) unclear.push({ group, day });
      observations.push({
        ...{ group, day, listing: `${group}|${place + 1}`, machine: line.machine_id, host: line.host_id },
        logPrice: Math.log(prices[place] ?? Number.NaN),
      });
    }
  }
  return { observations, unclear };
}
