import type { Db } from '../../database/connection.ts';

/** What the newest books had for an instance, and what became of it. */
export interface CheaperState {
  /** Newest first. */
  books: { id: number; found: boolean }[];
  /** The cheapest offer of the newest book that had one; null: too few books had any. */
  offer: { offerId: number; machineId: number; usdPerHour: number; instanceUsdPerHour: number } | null;
  /** The book with which enough had one. */
  bookId: number | null;
  /** The rental in its place; null: none was tried. */
  replacement: { rentalId: string | null; problem: string | null } | null;
}

/** An instance whose owner wants to know of cheaper machines. */
export interface CheaperPlan {
  instanceId: number;
  percent: number;
  books: number;
  ofBooks: number;
  action: 'notify' | 'replace';
  state: CheaperState | null;
  /** The newest complete book of its type; null: there is none. */
  bookId: number | null;
}

/** Returns the plans of listed instances that no one wants ended. */
export async function listCheaperPlans(db: Db, marketId: number): Promise<CheaperPlan[]> {
  const rows = await db<CheaperPlan[]>`
    select p.instance_id as "instanceId", p.cheaper_percent as percent, p.cheaper_books as books,
      p.cheaper_of_books as "ofBooks", p.cheaper_action as action, p.cheaper as state, (
        select b.id from book b join scope s on s.id = b.scope_id
        where s.market_id = ${marketId} and s.name = 'default' and b.type = i.type and b.verdict = 'complete'
        order by b.observed_at desc limit 1) as "bookId"
    from instance_plan p
    join instance i on i.market_id = p.market_id and i.instance_id = p.instance_id and i.gone_at is null
    where p.market_id = ${marketId} and p.cheaper_percent is not null
      and p.wanted is distinct from 'destroyed' and p.wanted is distinct from 'stopped'
    order by p.instance_id`;
  return rows.map((row) => ({ ...row }));
}

/** Stores what is known of cheaper machines. */
export async function saveCheaper(
  db: Db,
  marketId: number,
  instanceId: number,
  state: CheaperState,
): Promise<void> {
  await db`
    update instance_plan set cheaper = ${JSON.stringify(state)}::text::jsonb
    where market_id = ${marketId} and instance_id = ${instanceId} and cheaper_percent is not null
    returning instance_id`;
}
