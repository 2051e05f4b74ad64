import type { BookStatistics } from '../books/landing/book-statistics.ts';
import { type SeedProgress, seedHistory } from '../books/seed-history.ts';
import { type Log, withFields } from '../core/log.ts';
import type { PricingType } from '../core/offer.ts';
import type { Sql } from '../database/connection.ts';
import type { PreparedMarket } from '../market/marketplace.ts';
import { seedInstances } from '../rentals/instances/seed-instances.ts';
import type { Simulator } from '../simulator/simulator.ts';
import { createBuiltInSimulator, openSimulator } from './open-market.ts';

interface SeedSimulated {
  sql: Sql;
  prepared: PreparedMarket;
  marketId: number;
  allocatedStorageGb: number;
  statistics: BookStatistics;
  log: Log;
  now: () => Date;
  newId: () => string;
  /** Moments of the books. @default those of two weeks, and the hours of last week's rentals */
  moments?: readonly Date[] | undefined;
  onProgress: SeedProgress;
  signal?: AbortSignal | undefined;
}

/**
 * Gives the simulated market its first history: the instances of the past weeks, then the books. Bills come with the
 * first crawl. Returns the number of books landed.
 */
export async function seedSimulated(options: SeedSimulated): Promise<number> {
  const { prepared, log, allocatedStorageGb: storageGb } = options;
  const simulator = createBuiltInSimulator();
  const { market, close } = await openSimulator(prepared, simulator, log);
  try {
    if (market.account !== null) {
      const changes = changesOf(simulator);
      await seedInstances({
        ...options,
        // What happened weeks ago is no news.
        log: { ...withFields(log, {}), info: (fields, message) => log.debug(fields, message) },
        account: market.account,
        moments: changes,
        goTo: (at) => goTo(simulator, at),
      });
    }
    const recordsAt = (type: PricingType, at: Date): readonly unknown[] =>
      simulator.rentableOffersAt(at, { type, storageGb });
    const more = options.moments === undefined ? rentedHours(simulator, options.now()) : undefined;
    return await seedHistory(options.sql, { ...options, recordsAt, more });
  } finally {
    await close();
  }
}

const [hourS, weekS] = [3_600, 7 * 86_400];
/** The first Monday of 1970. */
const mondayS = 4 * 86_400;

/**
 * Returns the hours in which last week's rentals ran, by pricing type: with a book of each, their charges can be
 * compared with the market. Weeks begin on Monday, UTC.
 */
export function rentedHours(
  simulator: Pick<Simulator, 'instances'>,
  now: Date,
): Partial<Record<PricingType, Date[]>> {
  const thisWeekS = mondayS + Math.floor((now.getTime() / 1000 - mondayS) / weekS) * weekS;
  const hours = { 'on-demand': new Set<number>(), bid: new Set<number>() };
  for (const { isBid, createdS, destroyedS, steps } of simulator.instances()) {
    if (createdS < thisWeekS - weekS || createdS >= thisWeekS) continue;
    for (const [place, { phase, fromS }] of steps.entries()) {
      if (phase !== 'running') continue;
      const untilS = steps[place + 1]?.fromS ?? destroyedS ?? fromS;
      for (let atS = Math.floor(fromS / hourS) * hourS; atS < untilS; atS += hourS) {
        hours[isBid ? 'bid' : 'on-demand'].add(atS);
      }
    }
  }
  const dates = (seconds: Set<number>) => [...seconds].map((second) => new Date(second * 1000));
  return { 'on-demand': dates(hours['on-demand']), bid: dates(hours.bid) };
}

const listEveryS = 60;

/** The moments at which an instance changed, and just before, as lists every minute would show it; ascending. */
function changesOf(simulator: Simulator): Date[] {
  const changes = simulator.instances().flatMap(({ steps }) => steps.map(({ fromS }) => fromS));
  const seconds = changes.flatMap((second) => [second - listEveryS, second]);
  return [...new Set(seconds)].toSorted((a, b) => a - b).map((second) => new Date(second * 1000));
}

const goTo = (simulator: Simulator, at: Date): void =>
  simulator.advance((at.getTime() - simulator.now().getTime()) / 1000);
