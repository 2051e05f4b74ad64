import type postgres from 'postgres';
import { metrics } from '../../core/metric.ts';
import { noFilter } from '../../core/offer-filter.ts';
import { type PriceParts, priceFormulas } from '../../core/price-formulas.ts';
import type { Db } from '../../database/connection.ts';
import { attributeCondition, listingCondition } from '../newest/offer-filter.sql.ts';
import { divisorPart } from '../newest/price-figures.sql.ts';
import type { SpanColumns } from '../statistics/span-columns.ts';
import type { BookMoments } from './book-moments.sql.ts';
import { joinSpans } from './join-spans.sql.ts';
import type { SentSpans, SpansRequest } from './sent-spans.sql.ts';

/**
 * Returns what was offered over the books, from presence, price intervals and attributes alone, as spans in which
 * neither the price nor anything used by statistics changed. The database sends three sets of columns, joined here
 * several times faster than as joined rows; those of some models in parts, because one row is received without a break.
 */
export async function readSpans(db: Db, request: SpansRequest, books: BookMoments): Promise<SpanColumns> {
  const [begin, end] = [books.times[0], books.times.at(-1)];
  const sent = begin === undefined || end === undefined ? [] : await sendSpans(db, request, begin, end);
  return await joinSpans(sent, request, books);
}

/** Number of consecutive listing ids that one row of the response covers. */
const listingsPerPart = 1_024;

async function sendSpans(db: Db, request: SpansRequest, from: Date, upTo: Date): Promise<SentSpans[]> {
  const { metric, filter = noFilter, withListings = false } = request;
  // Milliseconds are truncated; the last book is within the one that begins with it.
  const to = new Date(upTo.getTime() + 1);
  const { needs } = priceFormulas[metrics[metric].price];
  const isNeeded = (name: keyof PriceParts): boolean => needs.some(({ part }) => part === name);
  const divisor = divisorPart(db, metric, { attribute: 'a' });
  const optional = (wanted: boolean, column: postgres.Fragment) =>
    wanted ? db`array_send(array_agg(${column}))` : db`null::bytea`;
  // For a whole market, sorting the rows by part would take longer than it saves.
  const part = request.gpuModelIds === null ? db`0` : db`l.id / ${listingsPerPart}`;
  return await db<SentSpans[]>`
    select * from (
      select ${part} as part, array_send(array_agg(l.id)) as listing, array_send(array_agg(l.gpu_model_id)) as model,
        array_send(array_agg(l.num_gpus)) as "numGpus", array_send(array_agg(l.machine_id)) as machine,
        ${optional(withListings, db`l.ordinal`)} as ordinal,
        array_send(array_agg(p.first_at)) as "firstAt", array_send(array_agg(p.last_at)) as "lastAt"
      from ${reaching(db, request, 'presence', 'first_at', from, to)}
      where ${ofSeries(db, request)} and ${listingCondition(db, filter)}
        and p.first_at < ${to} and p.last_at >= ${from}
      group by 1
    ) present join (
      select ${part} as part, array_send(array_agg(p.listing_id)) as "runListing", array_send(array_agg(p.valid_from)) as "validFrom",
        array_send(array_agg(p.valid_to)) as "validTo", array_send(array_agg(p.base_usd_per_hour)) as base,
        array_send(array_agg(p.storage_usd_per_gb_month)) as storage,
        ${optional(isNeeded('inetDownUsdPerGb'), db`p.inet_down_usd_per_gb`)} as down,
        ${optional(isNeeded('inetUpUsdPerGb'), db`p.inet_up_usd_per_gb`)} as up
      from ${reaching(db, request, 'price_interval', 'valid_from', from, to)}
      where ${ofSeries(db, request)} and ${listingCondition(db, filter)}
        and p.valid_from < ${to} and p.valid_to > ${from}
      group by 1
    ) intervals using (part) join (
      select ${part} as part, array_send(array_agg(a.listing_id)) as "dayListing", array_send(array_agg(a.day)) as day,
        array_send(array_agg(a.valid_until)) as until, array_send(array_agg(a.verification_tier_id)) as tier,
        ${optional(withListings, db`a.host_id`)} as host,
        array_send(array_agg(coalesce(${attributeCondition(db, filter, 'a')}, false))) as passes,
        ${optional(divisor !== null, divisor ?? db`null`)} as divisor,
        array_send(array_agg(a.gpu_ids::text)) as "gpuIds"
      from listing l join listing_attribute a on a.listing_id = l.id
      where ${ofSeries(db, request)} and ${listingCondition(db, filter)} and a.valid_until is not null
        and a.day <= (${to}::timestamptz at time zone 'UTC')::date
        and a.valid_until > (${from}::timestamptz at time zone 'UTC')::date
      group by 1
    ) days using (part) order by part`;
}

/**
 * Selects presence or price intervals (alias p) with their listing (alias l). For some models, walks each listing from
 * its last row before the range; for all, searches by when rows end.
 */
function reaching(
  db: Db,
  { scopeId, gpuModelIds }: SpansRequest,
  table: 'presence' | 'price_interval',
  begin: 'first_at' | 'valid_from',
  from: Date,
  to: Date,
): postgres.Fragment {
  const [rows, column] = [db(table), db(begin)];
  if (gpuModelIds === null) {
    return db`${rows} p join listing l on l.id = p.listing_id and p.scope_id = ${scopeId}`;
  }
  return db`listing l cross join lateral (
    select * from ${rows} r where r.listing_id = l.id and r.scope_id = ${scopeId} and r.${column} < ${to}
      and r.${column} >= coalesce((select max(x.${column}) from ${rows} x where x.listing_id = l.id
        and x.scope_id = ${scopeId} and x.${column} <= ${from}), '-infinity')) p`;
}

const ofSeries = (db: Db, { marketId, type, gpuModelIds }: SpansRequest): postgres.Fragment =>
  gpuModelIds === null
    ? db`l.market_id = ${marketId} and l.type = ${type}`
    : db`l.market_id = ${marketId} and l.type = ${type} and l.gpu_model_id = any(${[...gpuModelIds]}::int2[])`;
