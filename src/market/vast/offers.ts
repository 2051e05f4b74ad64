/**
 * Offer search: `POST /api/v0/bundles/`. Source: docs/marketplace.md#42-search-offers.
 * Auth: bearer key; on the real service with the right `misc`. Rate limit: 10 per minute and address on the real
 * service, SEARCHES_PER_MINUTE here; no minimum interval.
 * Quirks: no cursor and no offset, so pages use `id` filters; rows are silently capped; two equal searches differ by a
 * quarter; the requested storage is part of `dph_total`; `offers` may be one object.
 * Trust: only the response's rows; each row is read alone, a bad one rejected and counted; unknown fields are kept; the
 * crawl verifies order and filters.
 */
import { MarketError } from '../../core/errors.ts';
import type { PricingType } from '../../core/offer.ts';
import type { FoundPage } from '../gathered-offers.ts';
import type { JsonObject } from '../wire/answer.ts';
import type { ListReader } from '../wire/list-splitter.ts';
import { BodyTooLargeError, maxRecords } from '../wire/response-body.ts';
import type { Dialect } from './dialect.ts';
import type { VastEngine } from './engine.ts';
import { type OfferQuery, toSearchBody } from './offer-query.ts';
import { idOf, readOfferRecord } from './offer-record.ts';

/** One response of the offer search. */
export interface OfferPage extends FoundPage {
  /** Every readable id as delivered, including those of rejected rows. */
  ids: number[];
  /** Bytes of the body, decompressed. */
  bodyBytes: number;
  /** The whole call, including waits. */
  durationMs: number;
}

/** Requests one page. Throws MarketError, the signal's reason, and for wrong queries RangeError or UserError. */
export type SearchOffers = (
  query: OfferQuery,
  options?: { signal?: AbortSignal | undefined },
) => Promise<OfferPage>;

/** Creates the search over `engine`. Reads each record as it arrives; a page is never held as a whole. */
export function createSearchOffers(engine: VastEngine, dialect: Dialect): SearchOffers {
  const { path } = dialect.search;
  return async (query, options = {}) => {
    const body = toSearchBody(query, dialect);
    const maxRows = Math.max(maxRecords, 2 * (query.limit ?? 0));
    let read = emptyPage();
    const list: ListReader = {
      key: 'offers',
      onList: () => {
        read = emptyPage();
      },
      take: (row) => {
        if (read.rows >= maxRows) throw new BodyTooLargeError(`${maxRows} records`);
        addRow(read, row, query.type);
      },
    };
    const { json, replacedCharacters, ...taken } = await engine.send(
      { endpoint: 'searchOffers', method: 'POST', path, body, list, repeat: 'always' },
      options.signal,
    );
    for (const row of rowsOf(json, `POST ${path}`)) addRow(read, row, query.type);
    return { ...read, ...taken, replacedCharacters: read.replacedCharacters + replacedCharacters };
  };
}

const emptyPage = (): ReadRows => ({ offers: [], rejected: [], rows: 0, ids: [], replacedCharacters: 0 });

type ReadRows = Pick<OfferPage, 'offers' | 'rejected' | 'rows' | 'ids' | 'replacedCharacters'>;

function addRow(page: ReadRows, row: unknown, type: PricingType): void {
  page.rows += 1;
  const id = idOf(row);
  if (id !== null) page.ids.push(id);
  const reading = readOfferRecord(row, type);
  page.replacedCharacters += reading.replacedCharacters;
  if (reading.ok) page.offers.push(reading.offer);
  else page.rejected.push(reading.rejected);
}

/** Returns the rows still in the response; the rows of its list, if any, have already been read. */
function rowsOf({ offers }: JsonObject, endpoint: string): unknown[] {
  if (Array.isArray(offers)) return offers;
  // A single bare object is one offer; an empty one is none.
  if (typeof offers === 'object' && offers !== null) return Object.keys(offers).length === 0 ? [] : [offers];
  const message = `${endpoint} answered without a list of \`offers\`: does the market's address lead to its API?`;
  throw new MarketError(message, { kind: 'contract', endpoint, httpStatus: 200 });
}
