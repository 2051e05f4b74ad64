import { partialReasons } from '../../../core/completeness.ts';
import type { CoverageCertificate } from '../../../core/coverage.ts';
import { MarketError } from '../../../core/errors.ts';
import type { GatheredOffers } from '../../gathered-offers.ts';
import type { MarketClient } from '../client.ts';
import type { OfferQuery } from '../offer-query.ts';
import type { OfferPage } from '../offers.ts';
import type { Sightings } from './sightings.ts';

/** How a walk over the market's pages ended. */
export type WalkEnd =
  | { kind: 'whole' }
  /** The market does not page by id; walk by price instead. */
  | { kind: 'unpageable'; reason: string }
  /** Something may be missing. */
  | { kind: 'cut'; reason: string };

/** State shared by walks over one part of the market. */
export interface Walk {
  client: Pick<MarketClient, 'searchOffers'>;
  /** The search for this part, without order and position. */
  search: Omit<OfferQuery, 'order' | 'afterId' | 'minUsdPerHour' | 'exactUsdPerHour'>;
  certificate: CoverageCertificate;
  /** Of the whole crawl. */
  gathered: GatheredOffers;
  /** Of this part. */
  sightings: Sightings;
  /** Called with every page before it is gathered. */
  onPage?: ((page: OfferPage) => void) | undefined;
  /** Whether the crawl has lasted longer than a book may, so that continuing is useless. */
  isTooLate: () => boolean;
  signal?: AbortSignal | undefined;
}

/** The ids above `after` (undefined: from the first) up to and including `upTo`. */
export interface IdRange {
  after: number | undefined;
  upTo: number;
}

/** Pages after which a walk requests the last id, unless a short page has made it do so earlier. */
const pagesBeforeBound = 50;

/**
 * Pages by `id > last` until a page is empty. An offer that exists from the first to the last request is on exactly one
 * page, whatever its price does and wherever the market cuts its responses. Each page proves that the market honors the
 * filter: ids ascend and start above the last. The end is requested twice, because an empty response may have hidden
 * its rows. If new offers arrive faster than pages, the end is the highest id seen after the start. `onPage` gets the
 * ids covered by each page. Source: docs/meaning.md#crawling.
 */
export async function walkById(
  walk: Walk,
  onPage: (page: IdRange & { rows: number }) => void = () => {},
): Promise<WalkEnd> {
  // A later pass need not go beyond the end that an earlier one found.
  let bound = walk.sightings.highestId();
  let after: number | undefined;
  let rowsBefore = Number.POSITIVE_INFINITY;
  let confirming = false;
  let asked = false;
  for (let pages = 1; ; pages += 1) {
    if (walk.isTooLate()) return tooLate;
    const page = await fetchPage(walk, { order: 'id', afterId: after });
    if (page.rows === 0) {
      walk.certificate.endConfirmed ||= confirming;
      if (confirming) return { kind: 'whole' };
      confirming = true;
      continue;
    }
    confirming = false;
    const problem = idProblem(page.ids, after);
    if (problem !== null) return { kind: 'unpageable', reason: problem };
    const last = page.ids.at(-1);
    if (last === undefined) return { kind: 'cut', reason: 'a page had no readable id' };
    noteCap(walk, rowsBefore);
    rowsBefore = page.rows;
    onPage({ after, upTo: last, rows: page.rows });
    after = last;
    const mayEnd = page.rows * 2 <= walk.gathered.largestPage() || pages === pagesBeforeBound;
    if (bound === Number.NEGATIVE_INFINITY && mayEnd && !asked) {
      asked = true;
      bound = await askHighestId(walk, last);
    }
    if (bound > Number.NEGATIVE_INFINITY && last >= bound) {
      walk.certificate.endConfirmed = true;
      return { kind: 'whole' };
    }
  }
}

/** Returns the current highest id; -Infinity if the market does not sort by id, or refuses to. */
async function askHighestId(walk: Walk, seen: number): Promise<number> {
  const ids = await fetchPage(walk, { order: 'id-desc', limit: highestAsked }).then(
    (page) => page.ids,
    (error: unknown) => {
      // The walk continues without it and ends at an empty page.
      if (error instanceof MarketError) return [];
      throw error;
    },
  );
  const [highest = Number.NEGATIVE_INFINITY] = ids;
  const descends = ids.every((id, index) => index === 0 || id <= (ids[index - 1] ?? id));
  return descends && highest >= seen ? highest : Number.NEGATIVE_INFINITY;
}

/** Several rows, to show whether ids descend. */
const highestAsked = 10;

/** Reads the ids of a range again until a response goes beyond it. */
export async function walkRange(walk: Walk, { after: start, upTo }: IdRange): Promise<WalkEnd> {
  let after = start;
  for (;;) {
    if (walk.isTooLate()) return tooLate;
    const page = await fetchPage(walk, { order: 'id', afterId: after });
    if (page.rows === 0) return { kind: 'whole' };
    const problem = idProblem(page.ids, after);
    if (problem !== null) return { kind: 'unpageable', reason: problem };
    const last = page.ids.at(-1);
    if (last === undefined) return { kind: 'cut', reason: 'a page had no readable id' };
    if (last >= upTo) return { kind: 'whole' };
    after = last;
  }
}

const tooLate: WalkEnd = { kind: 'cut', reason: partialReasons.tookTooLong };

/** Requests one page, records it and passes its offers on. */
export async function fetchPage(
  walk: Walk,
  position: Pick<OfferQuery, 'order' | 'afterId' | 'minUsdPerHour' | 'exactUsdPerHour'> & { limit?: number },
): Promise<OfferPage> {
  const page = await walk.client.searchOffers({ ...walk.search, ...position }, { signal: walk.signal });
  walk.onPage?.(page);
  walk.sightings.note(page);
  await walk.gathered.add(page);
  return page;
}

/** A page followed by more offers shows the market's row limit if it has fewer rows than requested. */
export function noteCap({ certificate, search }: Walk, rowsBefore: number): void {
  if (rowsBefore < search.limit) certificate.rowCap = Math.max(certificate.rowCap ?? 0, rowsBefore);
}

function idProblem(ids: readonly number[], after: number | undefined): string | null {
  const [first] = ids;
  if (after !== undefined && first !== undefined && first <= after) {
    return 'the market ignores the filter on ids';
  }
  // Equal neighbors are one row delivered twice.
  const ascending = ids.every((id, index) => index === 0 || id >= (ids[index - 1] ?? id));
  return ascending ? null : 'the market does not sort by id';
}
