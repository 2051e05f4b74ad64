import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sql } from '../../src/database/connection.ts';
import { loadConfig } from '../../src/service/config.ts';
import { type InProcessEnd, runInProcess } from '../support/run-in-process.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';

let folder: string;
let sql: Sql;
let env: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'offerbook-csv-'));
  const database = await createTestDatabase();
  ({ sql } = database);
  env = { DATABASE_URL: databaseUrl(database.target), DATA_DIR: join(folder, 'data') };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const write = async (name: string, content: string | Buffer): Promise<string> => {
  await writeFile(join(folder, name), content);
  return join(folder, name);
};
const run = async (market: string, ...args: string[]): Promise<InProcessEnd> =>
  await runInProcess(['import', '--market', market, ...args], loadConfig(env));

interface Stored {
  at: string;
  type: string;
  verdict: string;
  offers: number;
}
const books = async (market: string): Promise<Stored[]> =>
  await sql<Stored[]>`
  select to_char(b.observed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS') as at, b.type, b.verdict, b.offers
  from book b join scope s on s.id = b.scope_id join market m on m.id = s.market_id
  where m.name = ${market} order by b.observed_at, b.type`;
/** What the API says of the newest book. */
const offersOf = async (market: string) => {
  const { stdout } = await runInProcess(['offers', '--market', market, '--json'], loadConfig(env));
  return (JSON.parse(stdout) as { items: Record<string, unknown>[] }).items;
};

const own =
  'id,machine_id,host_id,gpu_name,num_gpus,dph_base,dph_total,storage_cost,geolocation,rental_type,scraped_at';
const ownRow = (
  id: number,
  fields: Partial<Record<'price' | 'type' | 'at' | 'place' | 'gpus', string>> = {},
) => {
  const {
    price = '0.3',
    type = 'on-demand',
    at = '2026-05-01T10:00:00Z',
    place = '"Oslo, NO"',
    gpus = '2',
  } = fields;
  return `${id},${100 + id},7,RTX 4090,${gpus},${price},0.4,9,${place},${type},${at}`;
};

describe('a CSV file', () => {
  it('with the names of the fields is read into books by moment and type, partial unless it is said to be complete', async () => {
    const rows = [
      ownRow(1),
      ownRow(2, { type: 'bid', price: '0.2' }),
      ownRow(3, { at: '2026-05-01 12:30:00+02:00' }),
      ownRow(4, { at: '2026-05-01T12:00:00+02:00' }),
    ];
    const file = await write('own.csv', `\uFEFF${own}\r\n${rows.join('\r\n')}\r\n`);
    const { code, stdout, notes } = await run('own', file);
    expect([code, notes]).toEqual([0, []]);
    expect(stdout).toContain('3 books with 4 offers in the market own.');
    expect(await books('own')).toEqual([
      { at: '2026-05-01T10:00:00', type: 'on-demand', verdict: 'partial', offers: 2 },
      { at: '2026-05-01T10:00:00', type: 'bid', verdict: 'partial', offers: 1 },
      { at: '2026-05-01T10:30:00', type: 'on-demand', verdict: 'partial', offers: 1 },
    ]);
    const zipped = await write('own-again.csv.gz', gzipSync(`${own}\n${rows.join('\n')}`));
    expect((await run('whole', zipped, '--coverage', 'complete')).code).toBe(0);
    expect((await books('whole')).map(({ verdict }) => verdict)).toEqual(Array(3).fill('complete'));
    // The same rows in another order and file change nothing.
    const again = await run(
      'own',
      await write('turned.csv', `${own}\n${rows.toReversed().join('\n')}`),
      '--json',
    );
    const { books: answered } = JSON.parse(again.stdout) as { books: { stored: string }[] };
    expect(answered.map(({ stored }) => stored)).toEqual(Array(3).fill('unchanged'));
    expect(await books('own')).toHaveLength(3);
  });

  it('with other names is read by --columns, with --set and --type for what it lacks', async () => {
    const file = await write(
      'mine.txt',
      'when,offer,"machine, of the host",gpus,price per hour,who\n2026-05-02T00:00:00Z,11,55,1,0.5,me\n',
    );
    const { code, notes } = await run(
      'mine',
      ...['--set', 'gpu_name=RTX 5090', '--type', 'bid', '--columns', 'dph_total=price per hour'],
      ...['--columns', 'scraped_at=when,id=offer,machine_id=machine, of the host,num_gpus=gpus', file],
    );
    expect(code, notes.join()).toBe(0);
    expect(notes.join('\n')).toMatch(/machine_id is `machine, of the host`[\s\S]*not used: who/);
    expect(await books('mine')).toEqual([
      { at: '2026-05-02T00:00:00', type: 'bid', verdict: 'partial', offers: 1 },
    ]);
    const [offer] = await runInProcess(
      ['offers', '--market', 'mine', '--type', 'bid', '--json'],
      loadConfig(env),
    ).then(({ stdout }) => (JSON.parse(stdout) as { items: Record<string, unknown>[] }).items);
    // Without a price of storage, the listed price is the price.
    expect(offer).toMatchObject({ offerId: 11, machineId: 55, gpuName: 'RTX 5090', usdPerHour: 0.5 });
  });

  it('of a known scraper is recognized by its header, and takes its type from its name', async () => {
    const header =
      'timestamp,id,host_id,machine_id,dph_total,min_bid,num_gpus,gpu_ram,cpu_cores,cpu_ram,cpu_ghz,disk_space,disk_bw,inet_up,inet_down,geolocation,reliability2,pci_gen,pcie_bw';
    const rest = '1,24564,16,64000,3.50,500.5,1700.0,300.0,400.0,"Texas, US",0.991,4,24.1';
    const rows = [
      `2026-05-03T00:00:00.123Z,21,7,71,0.2840,0.2800,${rest}`,
      `2026-05-03T00:05:00.456Z,21,7,71,0.2900,0.2800,${rest}`,
    ];
    const text = [header, ...rows].join('\n');
    const asks = await write('2026-05-03-asks.csv', text);
    const bids = await write('2026-05-03-bids.csv', text);
    const lacking = await run('scraped', asks);
    expect([lacking.code, lacking.notes.join()]).toEqual([
      1,
      expect.stringMatching(/lacks `gpu_name`.*--set/),
    ]);
    expect(await books('scraped')).toEqual([]);
    const { code, notes } = await run('scraped', '--set', 'gpu_name=RTX 4090', asks, bids);
    expect([code, notes.join('\n')]).toEqual([
      0,
      expect.stringContaining('asks.csv has the layout vastai-scraper.'),
    ]);
    expect((await books('scraped')).map(({ type, offers }) => [type, offers])).toEqual([
      ['on-demand', 1],
      ['bid', 1],
      ['on-demand', 1],
      ['bid', 1],
    ]);
    expect(await offersOf('scraped')).toEqual([
      expect.objectContaining({
        ...{ offerId: 21, machineId: 71, hostId: 7, gpuName: 'RTX 4090', numGpus: 1 },
        ...{ usdPerHour: 0.29, country: 'US', reliability: 0.991 },
      }),
    ]);
    const named = await run(
      'scraped',
      asks,
      '--layout',
      'vastai-scraper',
      '--set',
      'gpu_name=RTX 4090',
      '--json',
    );
    expect(JSON.parse(named.stdout)).toMatchObject({
      csvFiles: [{ layout: 'vastai-scraper', rows: 2, badRows: 0, columns: { scraped_at: 'timestamp' } }],
      books: [{ stored: 'unchanged' }, { stored: 'unchanged' }],
    });
    const wider = [`${header},note`, ...rows.map((row) => `${row},mine`)].join('\n');
    const widerBids = await write('wider-bids.csv', wider);
    const later = await run('scraped wider', '--set', 'gpu_name=RTX 4090', widerBids);
    expect([later.code, later.notes.join('\n')]).toEqual([
      0,
      expect.stringMatching(/layout vastai-scraper\.[\s\S]*not used: .*note/),
    ]);
    expect((await books('scraped wider')).map(({ type }) => type)).toEqual(['bid', 'bid']);
  });

  it('with times that have no zone is read in --time-zone, and with seconds and milliseconds since 1970', async () => {
    const rows = [
      ownRow(1, { at: '2026-07-01 12:00:00.5' }),
      ownRow(2, { at: '2026-01-01T12:00' }),
      ownRow(3, { at: '2026-07-01 12:00:00Z' }),
      // Clocks skip the first of these, and show the second twice.
      ownRow(4, { at: '2026-03-29 02:30:00' }),
      ownRow(5, { at: '2025-10-26 02:30:00' }),
    ];
    const file = await write('local.csv', [own, ...rows].join('\n'));
    const zoneless = await run('zoneless', file);
    expect([zoneless.code, zoneless.notes.join()]).toEqual([
      3,
      expect.stringContaining(
        '4 of 5 rows could not be read: line 2 (scraped_at: a time without its zone; give',
      ),
    ]);
    expect(zoneless.notes.join()).toContain('--time-zone');
    const { code, notes } = await run('berlin', file, '--time-zone', 'Europe/Berlin');
    expect([code, notes.join()]).toEqual([
      3,
      expect.stringMatching(/line 5 \(.*Europe\/Berlin skip\), line 6 \(.*Europe\/Berlin show twice\)/),
    ]);
    expect((await books('berlin')).map(({ at }) => at)).toEqual([
      '2026-01-01T11:00:00',
      '2026-07-01T10:00:00',
      '2026-07-01T12:00:00',
    ]);
    const epochs = ['1782900000', '1782900060.25', '1782900120000'].map((at, id) => ownRow(id + 1, { at }));
    expect((await run('epochs', await write('epochs.csv', [own, ...epochs].join('\n')))).code).toBe(0);
    expect((await books('epochs')).map(({ at }) => at)).toEqual([
      '2026-07-01T10:00:00',
      '2026-07-01T10:01:00',
      '2026-07-01T10:02:00',
    ]);
  });

  it('completes a price from the others', async () => {
    const header = 'id,machine_id,gpu_name,num_gpus,dph_total,dph_base,storage_cost';
    const text = [header, '1,1,A,1,0.5,0.4,', '2,2,A,1,0.5,,9', '3,3,A,1,0.5,,'].join('\n');
    const given = ['--type', 'on-demand', '--observed-at', '2026-05-04T00:00:00Z'];
    expect((await run('prices', await write('prices.csv', text), ...given)).code).toBe(0);
    const prices = (await offersOf('prices')).map((item) => [
      item.offerId,
      item.usdPerHour,
      item.storageUsdPerGbMonth,
    ]);
    expect(prices).toEqual([
      [1, expect.closeTo(0.5, 12), expect.closeTo(9, 9)],
      [2, expect.closeTo(0.5, 12), 9],
      [3, 0.5, 0],
    ]);
  });

  it('with bad rows stores the others, and names the first of them with their lines', async () => {
    const rows = [
      ownRow(1),
      ownRow(2, { gpus: 'two' }),
      ownRow(3, { at: 'yesterday' }),
      `${ownRow(4)},one too many`,
      ownRow(5, { type: 'free' }),
      ownRow(6, { price: '-1' }),
      ownRow(7, { place: '"Oslo\n, NO"' }),
      ownRow(8, { gpus: '' }),
    ];
    const file = await write('bad-rows.csv', [own, ...rows].join('\n'));
    const { code, stdout, notes } = await run('bad rows', file);
    expect(code).toBe(3);
    expect(notes.join('\n')).toContain(
      'bad-rows.csv: 6 of 8 rows could not be read: line 3 (num_gpus: not a number), ' +
        'line 4 (scraped_at: not a time like 2026-07-20T05:19:05Z), line 5 (12 cells, not 11), ' +
        'line 6 (rental_type: not a pricing type), line 7 (dph_base: negative), ….',
    );
    expect(stdout).toMatch(/on-demand +2 +3 +partial +new/);
    expect(await books('bad rows')).toMatchObject([{ offers: 2 }]);
  });

  it.each<[what: string, content: string | Buffer, args: string[], words: RegExp]>([
    [
      'an unknown field',
      own,
      ['--columns', 'machne_id=x'],
      /Unknown field `machne_id`\. Did you mean `machine_id`\?.*`gpu_name`/,
    ],
    ['an unknown field of --set', own, ['--set', 'gpu=x'], /Unknown field `gpu`/],
    ['an unknown time zone', own, ['--time-zone', 'Berlin'], /Unknown time zone `Berlin`.*Europe\/Berlin/],
    [
      'a layout that lacks a column',
      'timestamp,id,machine_id,gpu_name,num_gpus,dph_total\n1,2,3,4,5,6',
      ['--type', 'bid'],
      /lacks `scraped_at`: .*--layout vastai-scraper/,
    ],
    ['an unknown layout', own, ['--layout', 'vastai'], /Unknown layout `vastai`.*`vastai-scraper`/],
    [
      'a column that is not there',
      own,
      ['--columns', 'id=offer_id'],
      /no column `offer_id` for `id`.*Its columns are `id`, /,
    ],
    [
      'no required columns',
      'id,price\n1,2',
      [],
      /lacks `machine_id`, `gpu_name`, `num_gpus`, `dph_total`, `scraped_at`: .*--columns/,
    ],
    ['no type', `${own.replace('rental_type', 'x')}\n${ownRow(1)}`, [], /lacks `rental_type`: .*--type/],
    ['no rows', own, [], /it holds no offers/],
    [
      'only bad rows',
      `${own}\n${ownRow(1, { at: 'x' })}`,
      [],
      /none of its 1 rows could be read \(line 2: scraped_at/,
    ],
    ['nothing', '', [], /the file is empty/],
    ['a quote that is not closed', `${own}\n${ownRow(1)}\n2,"`, [], /line \d: a quote is not closed/],
    ['a quote within text', `${own}\n1,a"b`, [], /line 2: its quotes are not those of CSV/],
    ['other bytes than text', Buffer.from(`${own}\n\xff`, 'latin1'), [], /not UTF-8/],
    ['cut gzip', gzipSync(`${own}\n${ownRow(1)}`).subarray(0, -9), [], /corrupt or cut short/],
  ])('of %s is refused, with nothing stored', async (what, content, args, words) => {
    const market = `refused for ${what}`;
    const { code, notes } = await run(market, await write('refused.csv', content), ...args);
    expect([code, notes.join('\n')]).toEqual([1, expect.stringMatching(words)]);
    expect(await books(market)).toEqual([]);
  });
});
