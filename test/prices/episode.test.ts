import { describe, expect, it } from 'vitest';
import { type AskedPrice, deriveEpisodes, type SeenSpan } from '../../src/prices/listings/episode.ts';

const at = (hour: number): Date => new Date(Date.UTC(2026, 0, 1, hour));
const span = (from: number, to: number, values: Partial<SeenSpan> = {}): SeenSpan => ({
  listingId: 1,
  numGpus: 1,
  ordinal: 1,
  firstAt: at(from),
  lastAt: at(to),
  firstMissAt: at(to + 1),
  gone: true,
  ...values,
});
const ask = (hour: number, usdPerGpuHour: number | null, listingId = 1): AskedPrice => ({
  listingId,
  validFrom: at(hour),
  previousBookAt: hour === 0 ? null : at(hour - 1),
  usdPerGpuHour,
});
const ends = (episodes: ReturnType<typeof deriveEpisodes>) =>
  episodes.map(({ listingId, startedAt, lastSeenAt, endedAt, endedBy, lastAskUsdPerGpuHour }) => [
    listingId,
    startedAt.getUTCHours(),
    lastSeenAt.getUTCHours(),
    endedAt?.getUTCHours() ?? null,
    endedBy,
    lastAskUsdPerGpuHour,
  ]);

describe('episodes', () => {
  it('continue while nothing ends them', () => {
    const episodes = deriveEpisodes([span(0, 5, { firstMissAt: null, gone: false })], [ask(0, 0.4)]);
    expect(ends(episodes)).toEqual([[1, 0, 5, null, null, 0.4]]);
  });

  it('survive a short absence, and end with a longer one', () => {
    const spans = [span(0, 2, { gone: false }), span(4, 6), span(10, 12, { gone: false, firstMissAt: null })];
    expect(ends(deriveEpisodes(spans, [ask(0, 0.4)]))).toEqual([
      [1, 0, 6, 7, 'gone', 0.4],
      [1, 10, 12, null, null, 0.4],
    ]);
  });

  it('end when the price changes, within an interval and across a short absence, but not with other components', () => {
    const spans = [span(0, 5, { gone: false }), span(8, 9, { gone: false, firstMissAt: null })];
    const asks = [ask(0, 0.4), ask(2, 0.4), ask(3, 0.5), ask(8, null)];
    expect(ends(deriveEpisodes(spans, asks))).toEqual([
      [1, 0, 2, 3, 'repriced', 0.4],
      [1, 3, 5, 8, 'repriced', 0.5],
      [1, 8, 9, null, null, null],
    ]);
  });

  it('of one machine end together: the smallest offer is gone, the others were taken with it', () => {
    const spans = [
      span(0, 5, { listingId: 1, numGpus: 4 }),
      span(0, 5, { listingId: 2, numGpus: 2 }),
      span(0, 5, { listingId: 3, numGpus: 2, ordinal: 2 }),
      span(0, 7, { listingId: 4, numGpus: 8 }),
    ];
    const asks = [1, 2, 3, 4].map((listingId) => ask(0, 0.1 * listingId, listingId));
    const byListing = deriveEpisodes(spans, asks).map(({ listingId, endedBy }) => [listingId, endedBy]);
    expect(byListing).toEqual([
      [1, 'chunkTaken'],
      [2, 'gone'],
      [3, 'chunkTaken'],
      [4, 'gone'],
    ]);
  });
});
