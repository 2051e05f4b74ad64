import { beforeAll, describe, expect, it } from 'vitest';
import { proveChurn, proveFallback, proveHiding } from '../../../prove/crawl/coverage-on-film.ts';
import { filmMarket, type MarketFilm } from '../../../prove/crawl/market-film.ts';

/** A share of `npm run prove -- crawl`: a smaller market, fewer crawls, the same walks and the same comparison. */
describe('a crawl of a changing market', () => {
  let film: MarketFilm;
  const seed = 20_260_720;

  beforeAll(() => {
    film = filmMarket({ seed, offers: 4_500, frames: 30, stepS: 20 });
  });

  it('is never called complete without an offer that was listed throughout, and is complete most of the time', async () => {
    const { failures, counts } = await proveChurn({ film, seed, runs: 16 });
    expect(failures).toEqual([]);
    expect(counts).toMatchObject({ 'churn, cap 1-10,000: crawls': 16, 'churn, cap 1-50: crawls': 4 });
  });

  it('is not complete while responses hide more than 0.1% of the market', async () => {
    const { failures, counts } = await proveHiding({ film, seed, runs: 18 });
    expect(failures).toEqual([]);
    expect(counts['hiding 1%: complete']).toBeGreaterThan(0);
    expect(counts['hiding: offers that the control lacks']).toBeGreaterThan(0);
  });

  it('is not wrongly complete if paging by id does not work', async () => {
    const { failures } = await proveFallback({ film, seed, runs: 16 });
    expect(failures).toEqual([]);
  });
});
