import type { Db } from '../../database/connection.ts';

/** An instance that ended, or a rental with which nothing was rented. */
export interface EndedKey {
  endedAt: Date;
  /** null: nothing was rented. */
  instanceId: number | null;
  /** null: rented elsewhere. */
  rentalId: string | null;
}

/** The place behind a key in the list: `ISO 8601|id`. */
export const placeOf = ({ endedAt, instanceId, rentalId }: EndedKey): string =>
  `${endedAt.toISOString()}|${instanceId ?? rentalId}`;

export interface EndedQuery {
  marketId: number;
  /** Only those behind this place; null: from the newest on. */
  after: string | null;
  limit: number;
  /** Only those in which each of these words occurs, in lower case. */
  words: readonly string[];
  /** For each word the countries that it names. */
  countries: readonly (readonly string[])[];
}

/** Returns what has ended, the newest first. A word is looked for in label, ids, model, machine, host and country. */
export async function listEnded(db: Db, query: EndedQuery): Promise<EndedKey[]> {
  const { marketId, after, limit, words, countries } = query;
  const [at = null, id = null] = after?.split('|') ?? [];
  const wanted = words.map((word, index) => {
    const named = [...(countries[index] ?? [])];
    return db`(strpos(e.text, ${word}) > 0 or e.country = any(${named}::text[]))`;
  });
  const rows = await db<EndedKey[]>`
    with ended as (
      select coalesce(r.ended_at, i.gone_at) as ended_at, i.instance_id, r.id as rental_id, i.machine_id,
        lower(concat_ws(' ', i.instance_id, coalesce(r.label, i.label), r.id, i.gpu_name, i.machine_id, i.host_id)) as text
      from instance i left join rental r on r.market_id = i.market_id and r.instance_id = i.instance_id
      where i.market_id = ${marketId} and i.gone_at is not null and (r.id is null or r.ended_at is not null)
      union all
      select r.ended_at, r.instance_id, r.id, r.machine_id,
        lower(concat_ws(' ', r.instance_id, r.label, r.id, r.gpu_name, r.machine_id, r.host_id))
      from rental r
      where r.market_id = ${marketId} and r.ended_at is not null
        and not exists (select from instance i where i.market_id = r.market_id and i.instance_id = r.instance_id)),
    place as (
      select distinct on (l.machine_id) l.machine_id, c.name as country
      from listing l join latest_offer o on o.listing_id = l.id join country c on c.id = o.country_id
      where ${words.length > 0} and l.market_id = ${marketId}
        and l.machine_id in (select machine_id from ended)
      order by l.machine_id, o.observed_at desc)
    select e.ended_at as "endedAt", e.instance_id as "instanceId", e.rental_id as "rentalId"
    from (select ended.*, coalesce(instance_id::text, rental_id::text) as id, place.country
      from ended left join place using (machine_id)) e
    where (${at === null} or (e.ended_at, e.id) < (${at}::timestamptz, ${id}::text))
      ${wanted.reduce((all, each) => db`${all} and ${each}`, db``)}
    order by e.ended_at desc, e.id desc
    limit ${limit}`;
  return rows.map((row) => ({ ...row }));
}
