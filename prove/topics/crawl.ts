import { proveBilling } from '../crawl/billing.ts';
import { proveBudget } from '../crawl/budget.ts';
import { proveChurn, proveFallback, proveHiding } from '../crawl/coverage-on-film.ts';
import { proveDatabaseAway } from '../crawl/database-away.ts';
import { proveKilledWorkers } from '../crawl/killed-workers.ts';
import { filmMarket, type MarketFilm } from '../crawl/market-film.ts';
import { proveStoredBooks } from '../crawl/stored-books.ts';
import { proveTicks } from '../crawl/ticks.ts';
import type { Proof, ProofOptions, Topic } from '../proof.ts';
import { topicOfParts } from '../topic-of-parts.ts';

type Part = (options: ProofOptions) => Promise<Proof>;

/** An hour of a market of 25,000 offers. */
const film = { offers: 25_000, frames: 150, stepS: 20 };
const crawls = 200;

let filmed: { seed: number; film: MarketFilm } | null = null;

/** A part that runs on the film, which these parts share. */
const onFilm =
  (prove: typeof proveChurn): Part =>
  async ({ seed, log, runs = crawls }) => {
    if (filmed?.seed !== seed) filmed = { seed, film: filmMarket({ ...film, seed }) };
    let done = 0;
    const onRun = (kind: string): void => {
      done += 1;
      if (done % 50 === 0) log.info({ done }, `crawls of the part ${kind}`);
    };
    return await prove({ film: filmed.film, seed, runs, onRun });
  };

/** Every part of the topic, in the order of running. */
const parts: Readonly<Record<string, Part>> = {
  churn: onFilm(proveChurn),
  hiding: onFilm(proveHiding),
  fallback: onFilm(proveFallback),
  stored: proveStoredBooks,
  killed: proveKilledWorkers,
  budget: proveBudget,
  ticks: proveTicks,
  'database-away': proveDatabaseAway,
  billing: proveBilling,
};

export const crawlTopic: Topic = topicOfParts(
  'a book that is called complete lacks nothing, whatever the market and the machine do meanwhile',
  parts,
);
