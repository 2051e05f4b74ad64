import { seedHistory } from '../src/books/seed-history.ts';
import type { Sql } from '../src/database/connection.ts';
import { pointStatistics } from '../src/prices/statistics/point-statistics.ts';
import { createSimulator } from '../src/simulator/simulator.ts';

/** Books of a simulated market to fill a database with. */
interface SimulatedBooks {
  marketId: number;
  offersPerType: number;
  moments: readonly Date[];
  onProgress?: (done: number, total: number) => void;
}

/** Stores a book of each pricing type at each moment. */
export async function seedSimulated(
  sql: Sql,
  { marketId, offersPerType, moments, onProgress = () => {} }: SimulatedBooks,
): Promise<void> {
  const simulator = createSimulator({ offersPerType });
  await seedHistory(sql, {
    ...{ marketId, moments, onProgress, allocatedStorageGb: 8, statistics: pointStatistics },
    recordsAt: (type, at) => {
      const answer = simulator.search({ type, limit: 1_000, allocated_storage: 8 }, at);
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      return answer.body.offers;
    },
    now: () => new Date(),
    newId: () => crypto.randomUUID(),
  });
}
