import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import { importFile } from '../../../src/books/import/import-books.ts';
import { ensureMarket } from '../../../src/books/markets.sql.ts';
import type { Role } from '../../../src/core/http/credential.ts';
import { pointStatistics } from '../../../src/prices/statistics/point-statistics.ts';
import type { BookAnswer, DeletedAnswer } from '../../../src/service/deletion/stored-books.routes.ts';
import { createTestApp } from '../../support/test-app.ts';

it('only an administrator can delete an import, and a dry run changes nothing', async () => {
  const test = await createTestApp();
  const folder = await mkdtemp(join(tmpdir(), 'offerbook-delete-'));
  const market = await ensureMarket(test.sql, 'imported', 'recorded');
  const offer = {
    id: 1,
    machine_id: 2,
    gpu_name: 'RTX 4090',
    num_gpus: 1,
    dph_base: 0.5,
    dph_total: 0.51,
    storage_cost: 0.1,
    inet_up_cost: 0,
    inet_down_cost: 0,
    rental_type: 'on-demand',
  };
  for (const [file, day] of [
    ['right.jsonl', '01'],
    ['wrong.jsonl', '02'],
  ] as const) {
    await writeFile(join(folder, file), JSON.stringify({ ...offer, scraped_at: `2026-07-${day}T00:00:00Z` }));
    const options = {
      ...{
        marketId: market.id,
        allocatedStorageGb: 8,
        statistics: pointStatistics,
        now: () => new Date('2026-07-31T00:00:00Z'),
      },
      newId: uuidv7,
    };
    for await (const book of importFile(test.sql, join(folder, file), options)) {
      expect(book.outcome.kind).toBe('landed');
    }
  }
  await rm(folder, { recursive: true });
  const ask = async (role: Role, query: string): Promise<Response> =>
    await test.app.request(`/api/imports/wrong.jsonl?market=imported${query}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${test.tokens[role]}` },
    });
  const moments = async (): Promise<string[]> =>
    (await test.json<{ items: BookAnswer[] }>('/api/books?market=imported')).items.map(
      ({ observedAt }) => observedAt,
    );
  const both = ['2026-07-02T00:00:00.000Z', '2026-07-01T00:00:00.000Z'];
  expect((await ask('operator', '&confirm=true')).status).toBe(403);
  const would = (await (await ask('admin', '')).json()) as DeletedAnswer;
  expect(would).toMatchObject({ deleted: false, books: 1, offers: 1, from: both[0], to: both[0] });
  expect(await moments()).toEqual(both);
  const did = (await (await ask('admin', '&confirm=true')).json()) as DeletedAnswer;
  expect(did).toEqual({ ...would, deleted: true });
  expect(await moments()).toEqual([both[1]]);
  expect((await ask('admin', '&confirm=true')).status).toBe(404);
});
