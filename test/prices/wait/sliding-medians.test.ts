import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTurns } from '../../../src/core/turns.ts';
import { coveredBefore } from '../../../src/prices/statistics/book-axis.ts';
import { createSpanColumns, pickAll, type SpanColumns } from '../../../src/prices/statistics/span-columns.ts';
import { findCheaper, lowerPrices } from '../../../src/prices/wait/lowest-prices.ts';
import { slidingMedians } from '../../../src/prices/wait/sliding-medians.ts';
import { percentile } from '../recorded-records.ts';

const books = 40;

interface Span {
  first: number;
  last: number;
  /** null: the offer has none. */
  value: number | null;
}

const span = fc
  .record({
    first: fc.nat(books - 1),
    length: fc.nat(25),
    value: fc.option(fc.integer({ min: 1, max: 9 }), { freq: 8 }),
  })
  .map(({ first, length, value }): Span => ({ first, last: Math.min(books - 1, first + length), value }));
const covers = fc.array(fc.boolean(), { minLength: books, maxLength: books });

function columnsOf(spans: readonly Span[]): SpanColumns {
  const columns = createSpanColumns(spans.length);
  columns.length = spans.length;
  for (const [place, { first, last, value }] of spans.entries()) {
    columns.first[place] = first;
    columns.last[place] = last;
    columns.value[place] = value ?? Number.NaN;
  }
  return columns;
}

describe('sliding medians', () => {
  it('count every price once per covered book of the window, like a recount', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(span, { maxLength: 30 }),
        covers,
        fc.integer({ min: 1, max: 50 }),
        async (spans, covered, length) => {
          const starts = Int32Array.from({ length: books }, (_, at) => Math.max(0, at - length + 1));
          const columns = columnsOf(spans);
          const windows = { covered: coveredBefore(covered), windowStarts: starts };
          const medians = await slidingMedians(columns, pickAll(columns), windows, createTurns());
          for (let at = 0; at < books; at += 1) {
            const pool: number[] = [];
            for (let book = starts[at] ?? 0; book <= at; book += 1) {
              if (covered[book] !== true) continue;
              for (const { first, last, value } of spans) {
                if (first <= book && last >= book && value !== null) pool.push(value);
              }
            }
            expect(medians[at]).toBe(pool.length === 0 ? Number.NaN : percentile(pool, 0.5));
          }
        },
      ),
      { numRuns: 300, seed: 20_261_124 },
    );
  });
});

describe('lowest prices', () => {
  it('are the lowest of each book that counts, without excluded prices, also for several models in turn', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(span, { maxLength: 12 }), { minLength: 1, maxLength: 3 }),
        covers,
        fc.integer({ min: 2, max: 9 }),
        async (models, covered, every) => {
          const isLeftOut = (place: number, ordinal: number): boolean => (place * 7 + ordinal) % every === 0;
          const counts = Int8Array.from(covered, Number);
          const lowest = new Float64Array(books).fill(Number.NaN);
          const turns = createTurns();
          for (const model of models) {
            const spans = columnsOf(model);
            const picked = await findCheaper(spans, lowest, counts, turns);
            await lowerPrices(lowest, { spans, picked }, { counts, isLeftOut }, turns);
          }
          for (let at = 0; at < books; at += 1) {
            const prices = models.flatMap((spans) =>
              spans.flatMap(({ first, last, value }, place) =>
                first <= at && last >= at && value !== null && !isLeftOut(place, at) ? [value] : [],
              ),
            );
            const wanted = counts[at] === 1 && prices.length > 0 ? Math.min(...prices) : Number.NaN;
            expect(lowest[at]).toBe(wanted);
          }
        },
      ),
      { numRuns: 300, seed: 20_261_124 },
    );
  });
});
