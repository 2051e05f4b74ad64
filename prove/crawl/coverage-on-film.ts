import type { Proof } from '../proof.ts';
import { createRandom } from '../seeded-random.ts';
import { crawlFilm, type FilmRun, type FilmRunOptions } from './film-run.ts';
import type { MarketFilm } from './market-film.ts';

interface PartOptions {
  film: MarketFilm;
  seed: number;
  /** Number of crawls of each kind. */
  runs: number;
  onRun?: (kind: string, run: FilmRun) => void;
}

/** A book with a larger share of missing offers must not be called complete. */
const missingLimit = 0.001;
const caps = { uniform: [1, 10_000], low: [1, 50] } as const;

/** Caps: uniform, uniform on a log scale, and the lowest only. */
const anyCap = (random: () => number): number => Math.floor(1 + random() * caps.uniform[1]);
const powerCap = (random: () => number): number => Math.floor(caps.uniform[1] ** random());
const lowCap = (random: () => number): number => Math.floor(1 + random() * caps.low[1]);

/** Each response has some offers at another price than the previous one. */
const busyAt = (cap: number) => ({ cap, repriced: Math.ceil(cap / 1_000) });

type Draw = (random: () => number, run: number) => Omit<FilmRunOptions, 'random'>;

/**
 * Offers appear, vanish and are repriced during the crawl; every answer is correct at its moment. No complete book lacks
 * an offer that was listed throughout, and 95 of 100 are complete.
 */
export async function proveChurn(options: PartOptions): Promise<Proof> {
  const uniform = await crawlAll(options, 'churn', (random) => busyAt(anyCap(random)));
  const less = { ...options, runs: Math.ceil(options.runs / 4) };
  const powers = await crawlAll(less, 'churn, powers', (random) => busyAt(powerCap(random)));
  const low = await crawlAll(less, 'churn, low caps', (random) => busyAt(lowCap(random)));
  const all = [...uniform, ...powers, ...low];
  const failures: string[] = [];
  const lacking = all.filter(({ verdict, missing }) => verdict === 'complete' && missing > 0).length;
  if (lacking > 0) failures.push(`${lacking} complete books lack an offer that was there throughout`);
  const complete = countComplete(uniform);
  if (complete < uniform.length * 0.95)
    failures.push(`only ${complete} of ${uniform.length} books are complete`);
  if (all.some(({ came, went }) => came + went === 0))
    failures.push('a market stood still: it proves nothing');
  if (sum(all, 'repriced') === 0) failures.push('nothing was repriced: it proves nothing');
  return {
    ok: failures.length === 0,
    failures,
    counts: {
      ...countsOf('churn, cap 1-10,000', uniform),
      ...countsOf('churn, cap 1-10,000 by powers', powers),
      ...countsOf('churn, cap 1-50', low),
      'churn: complete books that lack an offer': lacking,
      'churn: offers that came / crawl': Math.round(sum(all, 'came') / all.length),
      'churn: offers that went / crawl': Math.round(sum(all, 'went') / all.length),
      'churn: offers repriced / crawl': Math.round(sum(all, 'repriced') / all.length),
    },
  };
}

/**
 * Each answer omits 1, 5 or 25% of the offers, before or after the cap, while the market changes. The control always
 * hides the same offers: such a book is called complete, and the comparison must detect what it lacks.
 */
export async function proveHiding(options: PartOptions): Promise<Proof> {
  const shares = [0.01, 0.05, 0.25];
  const runs = await crawlAll(options, 'hiding', (random, run) => ({
    cap: anyCap(random),
    hiding: shares[run % shares.length],
    hidesAfterCut: random() < 0.5,
  }));
  const wrong = runs.filter(isFalselyComplete).length;
  const control = await crawlAll({ ...options, runs: 1 }, 'control', () => ({ cap: 5_000, conceals: true }));
  const failures: string[] = [];
  if (!control.every(isFalselyComplete)) failures.push('the comparison does not see what is concealed');
  if (wrong > runs.length * 0.01) failures.push(`${wrong} of ${runs.length} complete books lack over 0.1%`);
  if (runs.every(({ certificate }) => certificate.passes.length < 2)) failures.push('nothing was hidden');
  const counts: Record<string, number> = {};
  for (const [index, share] of shares.entries()) {
    const ofShare = runs.filter((_, run) => run % shares.length === index);
    Object.assign(counts, countsOf(`hiding ${share * 100}%`, ofShare));
  }
  return {
    ok: failures.length === 0,
    failures,
    counts: {
      ...counts,
      'hiding: complete books that lack over 0.1%': wrong,
      'hiding: offers that the control lacks': control[0]?.missing ?? 0,
    },
  };
}

/**
 * Pages by price, because ids cannot be paged, while the market stands still, changes, changes fast, is repriced all the
 * time without offers appearing or vanishing, or hides offers.
 */
export async function proveFallback(options: PartOptions): Promise<Proof> {
  const kinds: Omit<FilmRunOptions, 'random' | 'cap'>[] = [
    { haste: 0 },
    { haste: 1 },
    { haste: 10 },
    { haste: 0, repriced: 1 },
    { haste: 0, repriced: 40 },
    { haste: 0, hiding: 0.01 },
    { haste: 1, hiding: 0.05 },
    { haste: 0, hiding: 0.25 },
  ];
  const runs = await crawlAll(options, 'fallback', (random, run) => {
    const kind = kinds[run % kinds.length];
    // A market that is sorted again for each response takes its time with many offers.
    const cap = Math.max(kind?.repriced === undefined ? 1 : 200, anyCap(random));
    return { ...kind, cap, ignoresIds: true };
  });
  const lacking = runs.filter(({ verdict, missing }) => verdict === 'complete' && missing > 0).length;
  const wrong = runs.filter(isFalselyComplete).length;
  const failures: string[] = [];
  if (wrong > 0) failures.push(`${wrong} of ${runs.length} complete books lack over 0.1%`);
  if (countComplete(runs) === 0) failures.push('no book was complete: it proves nothing');
  if (runs.some(({ certificate }) => certificate.paging !== 'price')) failures.push('a crawl paged by id');
  return {
    ok: failures.length === 0,
    failures,
    counts: {
      ...countsOf('fallback', runs),
      'fallback: complete books that lack an offer': lacking,
      'fallback: complete books that lack over 0.1%': wrong,
      'fallback: partial books that lack an offer': runs.filter(
        ({ verdict, missing }) => verdict === 'partial' && missing > 0,
      ).length,
    },
  };
}

async function crawlAll(
  { film, seed, runs, onRun }: PartOptions,
  kind: string,
  draw: Draw,
): Promise<FilmRun[]> {
  const made: FilmRun[] = [];
  for (let run = 0; run < runs; run += 1) {
    const random = createRandom(seed * 100_003 + run * 7919 + kind.length);
    const result = await crawlFilm(film, { ...draw(random, run), random });
    made.push(result);
    onRun?.(kind, result);
  }
  return made;
}

const isFalselyComplete = ({ verdict, missing, throughout }: FilmRun): boolean =>
  verdict === 'complete' && missing > throughout * missingLimit;

const countComplete = (runs: readonly FilmRun[]): number =>
  runs.filter(({ verdict }) => verdict === 'complete').length;

const sum = (runs: readonly FilmRun[], field: 'came' | 'went' | 'repriced' | 'answers'): number =>
  runs.reduce((total, run) => total + run[field], 0);

const countsOf = (name: string, runs: readonly FilmRun[]): Record<string, number> => ({
  [`${name}: crawls`]: runs.length,
  [`${name}: complete`]: countComplete(runs),
  [`${name}: answers / crawl`]: Math.round(sum(runs, 'answers') / Math.max(1, runs.length)),
});
