import { rowProblem } from '../../core/completeness.ts';
import { type CoverageCertificate, complete, partial } from '../../core/coverage.ts';
import { MarketError } from '../../core/errors.ts';
import type { Offer, RejectedOffer } from '../../core/offer.ts';
import type { BookAsk, CrawlBook } from '../crawl-book.ts';
import { createGatheredOffers } from '../gathered-offers.ts';
import type { ServerList } from './read-servers.ts';
import type { ServerReading } from './server-record.ts';

/**
 * Reads a book from one response with the whole market: the free machines, or with `rentable` false the rented ones.
 * Anything that is not an offer in dollars is left out and counted. Source: docs/clore.md#servers.
 */
export function createCrawlBook(
  readServers: (type: BookAsk['type'], signal?: AbortSignal) => Promise<ServerList>,
): CrawlBook {
  return async (ask) => {
    const { certificate, type, signal } = ask;
    certificate.paging = 'whole';
    const { readings, ...taken } = await ask.askAgain(() => readServers(type, signal), signal);
    const isAsked = ({ offer, isRented }: Extract<ServerReading, { kind: 'offer' }>): boolean =>
      isRented !== ask.rentable && (ask.gpuNames === null || ask.gpuNames.includes(offer.gpuName));
    const offers: Offer[] = [];
    const rejected: RejectedOffer[] = [];
    for (const reading of readings) {
      if (reading.kind === 'rejected') rejected.push({ reason: reading.reason, offerId: reading.offerId });
      else if (reading.kind === 'leftOut') noteLeftOut(certificate, reading);
      else if (isAsked(reading)) offers.push(reading.offer);
    }
    const rows = offers.length + rejected.length;
    await createGatheredOffers(certificate, ask.sink).add({ offers, rejected, rows, ...taken });
    certificate.passes.push({ kind: 'full', part: null, pages: 1, rows, unseen: offers.length });
    // It is plausible that no machine is rented; but if none is free, the response cannot be trusted.
    const problem = rows === 0 && !ask.rentable ? null : rowProblem(rows, certificate.accepted);
    if (problem?.fatal === true) {
      throw new MarketError(problem.reason, { kind: 'contract', endpoint: 'marketplace', httpStatus: 200 });
    }
    const coverage = problem === null ? complete('proved') : partial('proved', problem.reason);
    return { coverage, slices: [] };
  };
}

function noteLeftOut(
  certificate: CoverageCertificate,
  { reason, offerId, amounts }: Extract<ServerReading, { kind: 'leftOut' }>,
): void {
  certificate.leftOut[reason] = (certificate.leftOut[reason] ?? 0) + 1;
  if (amounts === undefined || certificate.doubtfulPrices.length >= doubtfulKept) return;
  certificate.doubtfulPrices.push({ offerId, amounts });
}

/** Keeps responses short: a list holds up to a hundred crawls. */
const doubtfulKept = 50;
