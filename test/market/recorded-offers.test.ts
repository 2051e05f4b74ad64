import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readRecordedBooks } from '../../src/books/import/recorded-books.ts';
import { readOfferRecord } from '../../src/market/vast/offer-record.ts';
import { reply, startScriptedServer } from './scripted-server.ts';
import { anyQuery, createTestClient } from './test-client.ts';

const data = process.env.OFFERBOOK_DATA ?? '../shared/data';

async function booksIn(folder: string) {
  const files = readdirSync(join(data, folder)).filter((file) => file.endsWith('.gz'));
  return (await Promise.all(files.map((file) => readRecordedBooks(join(data, folder, file))))).flat();
}

async function offersOf(folder: string) {
  return (await booksIn(folder)).flatMap(({ records, type }) =>
    records.map((record) => {
      const reading = readOfferRecord(record, type);
      if (!reading.ok) throw new Error(`${reading.rejected.offerId}: ${reading.rejected.reason}`);
      expect(reading.replacedCharacters).toBe(0);
      return { offer: reading.offer, raw: JSON.parse(reading.offer.raw), record };
    }),
  );
}

const near = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));

describe.skipIf(!existsSync(data))('recorded real offers (../shared/data or OFFERBOOK_DATA)', () => {
  it("are all accepted, 1,180 full records, and satisfy the market's price identities", async () => {
    const offers = await offersOf('full-offers');
    expect(offers).toHaveLength(1_180);
    for (const { offer, raw, record } of offers) {
      expect(raw).toEqual(record);
      const identities: [string, number, number][] = [
        ['dph_total', raw.dph_total, raw.dph_base + raw.storage_total_cost],
        ['storage_total_cost', raw.storage_total_cost, (raw.storage_cost * 8) / 720],
        ['dph_total_adj', raw.dph_total_adj, raw.dph_total + (raw.inet_down_cost * 8) / 4],
        ['search.totalHour', raw.search.totalHour, raw.dph_total],
        ['search.gpuCostPerHour', raw.search.gpuCostPerHour, raw.dph_base],
        ['discounted_dph_total', raw.discounted_dph_total, raw.dph_total - raw.discounted_hourly],
        ['dlperf_per_dphtotal', raw.dlperf_per_dphtotal, raw.dlperf / raw.dph_total],
        ['flops_per_dphtotal', raw.flops_per_dphtotal, raw.total_flops / raw.dph_total],
        [
          'listed',
          offer.listedUsdPerHour,
          offer.baseUsdPerHour + (Number(offer.storageUsdPerGbMonth) * 8) / 720,
        ],
        ['gpu ids', offer.gpuIds?.length ?? 0, offer.numGpus],
        ['reliability', Number(offer.reliability), raw.reliability],
        ['id', offer.offerId, raw.ask_contract_id],
      ];
      const broken = identities.filter(([, a, b]) => !near(a, b));
      expect(broken, `offer ${offer.offerId}`).toEqual([]);
    }
  });

  it('are all accepted, 16,253 of the market books, with the listed price at 8 GB', async () => {
    const offers = await offersOf('market-books');
    expect(offers).toHaveLength(16_253);
    const wrong = offers.filter(
      ({ offer }) =>
        !near(offer.listedUsdPerHour, offer.baseUsdPerHour + (Number(offer.storageUsdPerGbMonth) * 8) / 720),
    );
    expect(wrong).toEqual([]);
    expect(offers.filter(({ offer }) => offer.country === null)).toHaveLength(20);
    expect(offers.every(({ offer }) => offer.verification !== null && offer.reliability !== null)).toBe(true);
  });

  it('arrive through the client unchanged and in order', async () => {
    const [book] = await booksIn('full-offers');
    const body = gzipSync(JSON.stringify({ offers: book?.records }));
    const { baseUrl } = await startScriptedServer(reply(200, body, { 'content-encoding': 'gzip' }));
    const { client } = createTestClient(baseUrl, { maxBodyBytes: 10_000_000 });
    const page = await client.searchOffers(anyQuery);
    expect(page).toMatchObject({ rows: book?.records.length, rejected: [], replacedCharacters: 0 });
    expect(page.offers.map(({ raw }) => JSON.parse(raw))).toEqual(book?.records);
    expect(page.ids).toEqual(book?.records.map(({ id }) => id));
  });
});
