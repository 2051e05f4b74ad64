import { blankCertificate, type CoverageCertificate } from '../../src/core/coverage.ts';
import { verificationTiers } from '../../src/core/offer-fields.ts';
import { coverMarket } from '../../src/market/vast/crawl/cover-market.ts';
import { createFilmPlayer, type PlayerOptions } from './film-player.ts';
import { idsThroughout, type MarketFilm, turnover } from './market-film.ts';

/** A crawl of a filmed market, judged by the film. */
export interface FilmRun {
  verdict: 'complete' | 'partial';
  reason: string | null;
  cap: number;
  answers: number;
  /** Offers whose id was listed from the first response to the last, and those of them that the book lacks. */
  throughout: number;
  missing: number;
  /** From the first response to the last. */
  came: number;
  went: number;
  repriced: number;
  certificate: CoverageCertificate;
}

export type FilmRunOptions = Omit<PlayerOptions, 'film' | 'paceS' | 'startFrame'> & {
  /**
   * How many times faster the market changes than during a crawl with three to six searches a minute; 0: not at all.
   * @default 1
   */
  haste?: number | undefined;
};

/** Passes that a crawl may need, with a margin: the film must last that long. */
const passes = 4.2;

/**
 * Crawls the film once with the walks of a real crawl, without a database. 10 to 20 seconds, drawn at random, pass with
 * each answer; fewer if the film would end before the crawl.
 */
export async function crawlFilm(film: MarketFilm, options: FilmRunOptions): Promise<FilmRun> {
  const { random, cap, haste = 1, hiding = 0 } = options;
  const lastFrame = film.frames.length - 1;
  const asks = passes * ((film.frames[0]?.length ?? 0) / (cap * (1 - hiding)) + 4);
  const paceS = Math.min((10 + 10 * random()) * haste, (0.9 * lastFrame * film.stepS) / asks);
  const latest = Math.max(0, lastFrame - Math.ceil((asks * paceS) / film.stepS));
  const startFrame = Math.floor(random() * (latest + 1));
  const player = createFilmPlayer({ ...options, film, paceS, startFrame });
  const certificate = blankCertificate('id');
  const found = new Set<number>();
  const { coverage } = await coverMarket({
    client: player.client,
    ...{ type: 'on-demand', pageLimit: 10_000, allocatedStorageGb: 8, rentable: true, gpuNames: null },
    tiers: verificationTiers,
    knownGpuNames: async () => [],
    certificate,
    sink: {
      take: async (offers) => {
        for (const { offerId } of offers) found.add(offerId);
      },
      replace: async () => {},
    },
    askAgain: (call) => call(),
    isTooLate: () => false,
    random,
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  });
  const throughout = idsThroughout(film, startFrame, player.frame());
  const filmed = turnover(film.frames[startFrame] ?? [], film.frames[player.frame()] ?? []);
  return {
    ...{ verdict: coverage.verdict, reason: coverage.reason, cap, answers: player.answers(), certificate },
    throughout: throughout.length,
    missing: throughout.filter((id) => !found.has(id)).length,
    ...{ came: filmed.came, went: filmed.went, repriced: filmed.repriced + player.repriced() },
  };
}
