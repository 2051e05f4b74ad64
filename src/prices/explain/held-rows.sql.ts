import { type ComparedOffer, comparedFields } from '../../core/offer-columns.ts';
import type { Db } from '../../database/connection.ts';
import { joinNames, selectFields } from '../newest/offer-columns.sql.ts';
import type { ExplainedBooks } from './book-rows.sql.ts';

/** A listing while its price and attributes stayed the same and no book missed it. */
export interface HeldRow extends ComparedOffer {
  listingId: number;
  gpuName: string;
  ordinal: number;
  /** First book that held it. */
  since: Date;
  /** Last book that held it; null: the newest one. */
  lastAt: Date | null;
  /** Exclusive end; null: none. */
  before: Date | null;
}

const aliases = { listing: 'l', price: 'r', attribute: 'a' } as const;

/** Returns rows that books of [from, to) may have held, by listing and time; `gpuName` null: all models. */
export async function readHeldRows(
  db: Db,
  { scopeId, type, gpuName }: ExplainedBooks,
  { from, to }: { from: Date; to: Date },
): Promise<HeldRow[]> {
  const rows = await db<HeldRow[]>`
    select l.id as "listingId", m.name as "gpuName", l.ordinal, ${selectFields(db, comparedFields, aliases)},
      greatest(p.first_at, r.valid_from, a.day::timestamp at time zone 'UTC') as since,
      nullif(p.last_at, 'infinity') as "lastAt",
      nullif(least(r.valid_to, a.valid_until::timestamp at time zone 'UTC'), 'infinity') as before
    from scope s
    join listing l on l.market_id = s.market_id and l.type = ${type}
    join gpu_model m on m.id = l.gpu_model_id
    join presence p on p.listing_id = l.id and p.scope_id = s.id and p.first_at < ${to} and p.last_at >= ${from}
    join price_interval r on r.listing_id = l.id and r.scope_id = s.id and r.valid_from < ${to} and r.valid_to > ${from}
      and r.valid_from <= p.last_at and r.valid_to > p.first_at
    join listing_attribute a on a.listing_id = l.id and a.valid_until is not null
      and a.day::timestamp at time zone 'UTC' < ${to} and a.valid_until::timestamp at time zone 'UTC' > ${from}
      and a.day::timestamp at time zone 'UTC' < r.valid_to and a.valid_until::timestamp at time zone 'UTC' > r.valid_from
      and a.day::timestamp at time zone 'UTC' <= p.last_at and a.valid_until::timestamp at time zone 'UTC' > p.first_at
    ${joinNames(db, 'a')}
    where s.id = ${scopeId} and ${gpuName === null ? db`true` : db`m.name = ${gpuName}`}
    order by l.id, since`;
  return rows.map((row) => ({ ...row }));
}
