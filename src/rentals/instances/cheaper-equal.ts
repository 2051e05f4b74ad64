import { findScope, newestBooks } from '../../books/newest-books.sql.ts';
import type { Verification } from '../../core/offer-fields.ts';
import type { Db } from '../../database/connection.ts';
import { createOutlierTests } from '../../prices/verdicts/segment-medians.ts';
import { type CheaperOffer, cheaperOffers } from './cheaper.sql.ts';

const defaultPercent = 5;

interface CheaperOptions {
  /** How much less it costs. @default 5 */
  percent?: number;
  /** Only for this instance. @default every running one */
  instanceId?: number | null;
  outlierTests?: ReturnType<typeof createOutlierTests>;
}

/**
 * Returns for each running instance the cheapest equivalent machine of the newest complete book that costs at least
 * `percent` less. Source: docs/meaning.md#cheaper-equal-machines.
 */
export async function findCheaperEqual(
  db: Db,
  marketId: number,
  options: CheaperOptions = {},
): Promise<Map<number, CheaperOffer>> {
  const { percent = defaultPercent, instanceId = null, outlierTests = createOutlierTests(db) } = options;
  const scopeId = await findScope(db, marketId);
  if (scopeId === null) return new Map();
  const books = (await newestBooks(db, scopeId)).filter(({ verdict }) => verdict === 'complete');
  const bookIds = books.map(({ id }) => id);
  const best = new Map<number, CheaperOffer>();
  for (const offer of await cheaperOffers(db, marketId, { bookIds, percent, instanceId })) {
    const book = books.find(({ type }) => type === offer.type);
    if (book === undefined || best.has(offer.instanceId)) continue;
    const isOutlier = await outlierTests({ marketId, scopeId, type: offer.type }, book.observedAt);
    const { gpuName, listedUsdPerGpuHour } = offer;
    const verification = offer.verification as Verification | null;
    if (isOutlier({ gpuName, verification, listedUsdPerGpuHour }) !== true) best.set(offer.instanceId, offer);
  }
  return best;
}
