import type { Proof, ProofOptions } from '../proof.ts';
import { openProofDatabases } from '../proof-databases.ts';
import { createRandom, shuffle } from '../seeded-random.ts';
import { breakMarket, type FailingMarket, type Way } from './failing-market.ts';
import { compareMarkets, type FollowingService, startFollowing } from './following-service.ts';
import { type SimulatedKind, startSimulatedMarket } from './simulated-market.ts';

export interface OneFailingOptions extends Pick<ProofOptions, 'seed' | 'log' | 'server' | 'runs'> {
  /** The kind of market that fails; the other one must not be affected. */
  fails: SimulatedKind;
  /** The place of the failing one in MARKETS. */
  place: 'first' | 'second';
  /** How many ways of failing, drawn at random. @default all */
  ways?: number | undefined;
}

const promisedCrawls = 200;
const cron = '*/10 * * * * *';
const stepMs = 10_000;
/** Consecutive ticks, followed by a pause as long as a night. */
const ticksTogether = 10;
const nightMs = 5 * 3_600_000;
const startMs = Date.parse('2025-09-01T00:00:00Z');
const minTicksOfWay = 3;
/** A market that has asked for fewer requests is left alone for a minute, and clients wait longer and longer. */
const maxTicksOfWay = 240;

/**
 * Two services follow the same simulated market by the same clock: one follows it alone, the other together with a second
 * market that fails in every way in turn. The clock advances once both have crawled the tick. At the end they must have
 * stored the same: contents of all books, when each was crawled, figures of the API.
 */
export async function proveOneFailing(options: OneFailingOptions): Promise<Proof> {
  const { seed, log, server, fails, place, runs = promisedCrawls } = options;
  const watched: SimulatedKind = fails === 'vast' ? 'clore' : 'vast';
  const title = `${fails} ${place}`;
  const databases = await openProofDatabases(server, log);
  const clock = { ms: startMs };
  const now = (): Date => new Date(clock.ms);
  const healthy = await startSimulatedMarket(watched, { seed, now });
  const ill = await startSimulatedMarket(fails, { seed: seed + 1, now });
  const failing = await breakMarket(fails, ill);
  const [ofAlone, ofBeside] = [await databases.create(), await databases.create()];
  const own = { ...settingsOf(watched, healthy.settings, healthy.url), CRAWL_OFFERS: cron };
  const alone = await startFollowing(ofAlone, {
    settings: { ...own, MARKETS: watched, CRAWL_INVOICES: 'off', CRAWL_INSTANCES: 'off' },
    now,
  });
  const beside = await startFollowing(ofBeside, {
    settings: {
      ...own,
      ...settingsOf(fails, ill.settings, failing.url),
      MARKETS: place === 'first' ? `${fails},${watched}` : `${watched},${fails}`,
      // Failures of the account only if it belongs to the failing market.
      CRAWL_INVOICES: place === 'first' ? cron : 'off',
      CRAWL_INSTANCES: place === 'first' ? cron : 'off',
    },
    now,
  });
  try {
    const ways = waysOf(failing, createRandom(seed), options.ways);
    const play = { clock, watched, fails, alone, beside, failing };
    const { counts, failures } = await playWays({ ...play, ways, runs });
    const [wanted, found] = [await alone.readMarket(watched), await beside.readMarket(watched)];
    failures.push(...compareMarkets(wanted, found).map((line) => `${title}: ${line}`));
    const kept = Object.values(wanted.contents).flat().length;
    if (kept === 0 || Object.keys(wanted.texts).length < 6) failures.push(`${title}: nothing was compared`);
    const outcomes = await beside.outcomes(fails);
    // If only a few ways were drawn, all of them may pass when the request is repeated.
    if (options.ways === undefined && (outcomes.failed ?? 0) === 0)
      failures.push(`${title}: no crawl failed`);
    return {
      ok: failures.length === 0,
      failures,
      counts: named(title, {
        ...counts,
        'rows of books that were equal': kept,
        'answers of the API that were equal': Object.keys(wanted.texts).length - 1,
        ...Object.fromEntries(
          Object.entries(outcomes).map(([name, count]) => [`crawls of the failing market: ${name}`, count]),
        ),
      }),
    };
  } finally {
    await Promise.all([alone.close(), beside.close()]);
    failing.close();
    await Promise.all([healthy.close(), ill.close()]);
    await Promise.all([ofAlone.drop(), ofBeside.drop()]);
    await databases.close();
  }
}

interface Play {
  clock: { ms: number };
  watched: string;
  fails: string;
  alone: FollowingService;
  beside: FollowingService;
  failing: FailingMarket;
  ways: readonly Way[];
  runs: number;
}

/** Runs ticks while the market fails in each way, for at least `runs` crawls of the other one, and until it has recovered. */
async function playWays(play: Play): Promise<Pick<Proof, 'counts' | 'failures'>> {
  const { clock, watched, fails, alone, beside, failing, ways, runs } = play;
  const failures: string[] = [];
  const waits = { alone: 0, beside: 0 };
  let [ticks, struck, open] = [0, 0, 0];
  /** Returns whether both have crawled it. */
  const tick = async (meanwhile: string): Promise<boolean> => {
    if (ticks > 0) clock.ms += ticks % ticksTogether === 0 ? nightMs : stepMs;
    ticks += 1;
    const at = new Date(clock.ms);
    const [own, besides] = await Promise.all(
      [alone, beside].map((service) => service.untilCrawled(watched, at)),
    );
    if ((await beside.openCrawls(fails)) > 0) open += 1;
    waits.alone = Math.max(waits.alone, own ?? 0);
    waits.beside = Math.max(waits.beside, besides ?? 0);
    if (own === null) failures.push(`${watched} alone was not crawled at ${at.toISOString()}`);
    if (besides === null) {
      failures.push(`${watched} was not crawled at ${at.toISOString()}, beside ${fails} with ${meanwhile}`);
    }
    return own !== null && besides !== null;
  };
  const playWay = async (way: Way): Promise<boolean> => {
    failing.fail(way);
    await beside.order(fails);
    for (let played = 0; played < maxTicksOfWay; played += 1) {
      const isSeen = !way.strikes || failing.struck() > 0;
      if (played >= minTicksOfWay && isSeen) break;
      if (!(await tick(way.name))) return false;
    }
    if (way.strikes && failing.struck() === 0) failures.push(`${fails} was never struck by ${way.name}`);
    struck += failing.struck();
    return true;
  };
  let goesOn = true;
  for (const way of ways) if (goesOn) goesOn = await playWay(way);
  while (goesOn && ticks * 2 < runs) goesOn = await tick('the last of them');
  failing.fail(null);
  const wellBefore = (await beside.outcomes(fails)).complete ?? 0;
  const isWell = async (): Promise<boolean> => ((await beside.outcomes(fails)).complete ?? 0) > wellBefore;
  for (let more = 0; goesOn && !(await isWell()); more += 1) {
    if (more === maxTicksOfWay) failures.push(`${fails} was not crawled again when it was well`);
    goesOn = more < maxTicksOfWay && (await tick('nothing'));
  }
  return {
    failures,
    counts: {
      'crawls of the other market': ticks * 2,
      'ways of failing': ways.length,
      'requests that they struck': struck,
      'ticks at whose end a crawl of the failing market was open': open,
      'longest wait for both books of a tick, ms': Math.round(waits.beside),
      'the same where it was alone, ms': Math.round(waits.alone),
    },
  };
}

/** Returns at most this many ways in a random order, with those that stop requests for a minute last. */
function waysOf({ ways }: FailingMarket, random: () => number, most = ways.length): Way[] {
  const drawn = shuffle(ways, random);
  return [...drawn.filter(({ pauses }) => !pauses), ...drawn.filter(({ pauses }) => pauses)].slice(0, most);
}

const settingsOf = (
  kind: SimulatedKind,
  own: Readonly<Record<string, string>>,
  url: string,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...own, URL: url }).map(([name, value]) => [
      `MARKET_${kind.toUpperCase()}_${name}`,
      value,
    ]),
  );

const named = (title: string, counts: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).map(([name, count]) => [`${title}: ${name}`, count]));
