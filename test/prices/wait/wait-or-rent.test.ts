import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FigureExplanationAnswer } from '../../../src/prices/explain/explanation-schema.ts';
import type { WaitOrRentAnswer } from '../../../src/prices/wait/wait-or-rent.routes.ts';
import { type PlainBook, type PlainOffer, plainBids, plainWait } from '../../support/plain-wait.ts';
import { hasRecordedData, marketBookFiles } from '../../support/recorded-data.ts';
import { createTestApp, landFiles, type TestApp } from '../../support/test-app.ts';
import { type RecordedLine, readLines } from '../recorded-records.ts';

const hourMs = 3_600_000;
const start = Date.parse('2026-05-01T00:10:00Z');
const models = ['RTX 4090', 'RTX 3090', 'RTX 5090', 'H100 SXM'];

/** Recorded books at moments of our own: two hours apart, four now and then, some of them partial. */
interface Retimed {
  at: number;
  complete: boolean;
  lines: RecordedLine[];
}

function retime(lines: readonly RecordedLine[]): Retimed[] {
  const days = [...Map.groupBy(lines, (line) => line.scraped_at.slice(0, 10)).values()];
  let at = start;
  return Array.from({ length: 150 }, (_, index) => {
    at += (index % 31 === 30 ? 4 : 2) * hourMs + (index % 3) * 60_000;
    const own = days[(index * 5 + Math.floor(index / 12)) % days.length] ?? [];
    return { at, complete: index % 37 !== 20, lines: own };
  });
}

/** The offers of a type as a person reads them, with the verification of the day's first complete book. */
function plainBooks(books: readonly Retimed[], type: string, ask: Ask): PlainBook[] {
  const tiers = new Map<string, string>();
  return books
    .filter(({ complete }) => complete)
    .map(({ at, lines }) => {
      const ordinals = new Map<string, number>();
      const offers = lines
        .filter((line) => line.rental_type === type && line.gpu_name === ask.model)
        .sort((a, b) => a.dph_base - b.dph_base || a.id - b.id)
        .map((line): PlainOffer => {
          const kind = `${line.machine_id} ${line.num_gpus}`;
          ordinals.set(kind, (ordinals.get(kind) ?? 0) + 1);
          const listing = `${kind} ${ordinals.get(kind)}`;
          const day = `${listing} ${new Date(at).toISOString().slice(0, 10)}`;
          tiers.set(day, tiers.get(day) ?? line.verification);
          const verification = tiers.get(day) ?? '';
          const storage = (line.storage_cost * ask.storageGb) / 720;
          const traffic = line.inet_down_cost * ask.downGb;
          const base = line.dph_base * ask.hours;
          return {
            ...{ listing, segment: verification, baseUsdPerHour: line.dph_base },
            listedUsdPerGpuHour: (line.dph_base + (line.storage_cost * 8) / 720) / line.num_gpus,
            allInUsdPerHour: (base + storage * ask.hours + traffic) / ask.hours,
            matches:
              ask.tiers.includes(verification) && line.dph_base + storage <= (ask.maxUsdPerHour ?? Infinity),
          };
        });
      return { at, offers };
    });
}

interface Ask {
  model: string;
  tiers: readonly string[];
  storageGb: number;
  downGb: number;
  hours: number;
  maxUsdPerHour?: number;
}

const all = ['verified', 'unverified', 'deverified'];
const plainJob = { tiers: all, storageGb: 8, downGb: 0, hours: 720 };
const asks: Ask[] = [
  ...models.map((model) => ({ ...plainJob, model })),
  { model: 'RTX 4090', tiers: ['verified'], storageGb: 100, downGb: 200, hours: 10 },
  { model: 'RTX 3090', tiers: all, storageGb: 40, downGb: 5, hours: 3, maxUsdPerHour: 0.3 },
];

function queryOf({ model, tiers, storageGb, downGb, hours, maxUsdPerHour }: Ask): string {
  const query = new URLSearchParams({
    gpuName: model,
    storageGb: `${storageGb}`,
    downGb: `${downGb}`,
    runningHours: `${hours}`,
  });
  if (tiers !== all) for (const tier of tiers) query.append('verification', tier);
  if (maxUsdPerHour !== undefined) query.set('maxUsdPerHour', `${maxUsdPerHour}`);
  return query.toString();
}

/** Figures to a billionth: sums are made in another order. */
const rounded = (figures: unknown): unknown =>
  JSON.parse(
    JSON.stringify(figures, (_, each) => (typeof each === 'number' ? Number(each.toFixed(9)) : each)),
  );

describe.skipIf(!hasRecordedData)('GET /api/wait-or-rent over recorded books', () => {
  let app: TestApp;
  let books: Retimed[];
  const folder = mkdtempSync(join(tmpdir(), 'offerbook-wait-'));

  beforeAll(async () => {
    app = await createTestApp();
    books = retime(readLines(marketBookFiles).filter((line) => models.includes(line.gpu_name)));
    for (const [index, { at, complete, lines }] of books.entries()) {
      const file = join(folder, `${index}.jsonl`);
      const dated = lines.map((line) => JSON.stringify({ ...line, scraped_at: new Date(at).toISOString() }));
      writeFileSync(file, dated.join('\n'));
      await landFiles(app, [file], { coverage: complete ? 'complete' : 'partial' });
    }
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(asks)('equals a recount book by book: %j', async (ask) => {
    const plain = plainBooks(books, 'on-demand', ask);
    for (const hours of [1, 4, 6, 24, 100]) {
      const { overall, similar, priceNow, percentileNow } = await app.json<WaitOrRentAnswer>(
        `/api/wait-or-rent?hours=${hours}&${queryOf(ask)}`,
      );
      const wanted = plainWait(plain, hours);
      expect(rounded({ overall, similar, priceNow, percentileNow }), `${hours} h`).toEqual(rounded(wanted));
    }
  });

  it('is explained by the books that were counted and those that were not', async () => {
    for (const hours of [1, 6, 24]) {
      const query = `hours=${hours}&gpuName=RTX+3090`;
      const { overall, similar } = await app.json<WaitOrRentAnswer>(`/api/wait-or-rent?${query}`);
      const answer = await app.json<FigureExplanationAnswer>(`/api/explain?of=wait&${query}`);
      expect(answer.value).toMatchObject({
        ...{ books: overall.books, cases: overall.cases, similarBooks: similar.books },
        ...{ chance5: overall.drops[0]?.chance, similarMedianHours10: similar.drops[1]?.medianHours },
      });
      expect(answer.agrees, JSON.stringify(answer)).toBe(true);
      expect(answer.taken).toBe(overall.books);
      expect(answer.rejected.length).toBeGreaterThan(0);
    }
  });

  it.each(asks)('follows past bids like a replay book by book: %j', async (ask) => {
    const { bidSurvival } = await app.json<WaitOrRentAnswer>(`/api/wait-or-rent?${queryOf(ask)}`);
    expect(rounded(bidSurvival.bids)).toEqual(rounded(plainBids(plainBooks(books, 'bid', ask))));
  });

  it('finds chances that can be compared', async () => {
    const { overall, similar, bidSurvival } = await app.json<WaitOrRentAnswer>(
      '/api/wait-or-rent?hours=6&gpuName=RTX+3090',
    );
    expect([overall.status, similar.status]).toEqual(['ok', 'ok']);
    const chances = overall.drops.map(({ chance }) => chance ?? 0);
    expect(Math.max(...chances)).toBeGreaterThan(0.05);
    expect(Math.min(...chances)).toBeLessThan(1);
    expect(bidSurvival.bids.some(({ share }) => share !== null && share > 0 && share < 1)).toBe(true);
  });
});

describe.skipIf(!hasRecordedData)('waiting on the recorded books, which are a day apart', () => {
  it('is insufficient, with no case', async () => {
    const app = await createTestApp();
    await landFiles(app, marketBookFiles);
    const answer = await app.json<WaitOrRentAnswer>('/api/wait-or-rent?gpuName=RTX+4090&hours=24');
    expect(answer.overall).toMatchObject({ status: 'insufficient', cases: 0, books: 0 });
    expect(answer.priceNow).toBeGreaterThan(0);
    expect(answer.bidSurvival.bids.map(({ status, share }) => [status, share])).toEqual(
      Array.from({ length: 9 }, () => ['insufficient', null]),
    );
  });
});
