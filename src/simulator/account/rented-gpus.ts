import type { BookQuery, OfferSource } from '../offer-source.ts';
import { createOfferTable, type OfferRow, type OfferTable } from '../offer-table.ts';
import type { AccountState, InstanceState } from './account-state.ts';
import { createdAtS, destroyedAtS } from './life.ts';

/**
 * Returns a source of offers in which the account's instances occupy their GPUs: an offer that shares one is `rented`
 * and not `rentable` until the instance is destroyed. Without listed GPU ids, every offer of the machine is.
 */
export function withRentals(source: OfferSource, state: AccountState): OfferSource {
  const overlays = new WeakMap<OfferTable, { key: string; table: OfferTable }>();
  return {
    recordedAt: source.recordedAt,
    book(query: BookQuery, at: Date) {
      const table = source.book(query, at);
      const atS = Math.floor(at.getTime() / 1000);
      const holding = state.instances.filter((instance) => holdsAt(instance, atS));
      if (holding.length === 0) return table;
      const key = holding.map(({ id }) => id).join();
      const known = overlays.get(table);
      if (known?.key === key) return known.table;
      const overlay = markRented(table, holding);
      overlays.set(table, { key, table: overlay });
      return overlay;
    },
  };
}

function holdsAt(instance: InstanceState, atS: number): boolean {
  const destroyedS = destroyedAtS(instance);
  return createdAtS(instance) <= atS && (destroyedS === null || destroyedS > atS);
}

function markRented(table: OfferTable, holding: readonly InstanceState[]): OfferTable {
  const byMachine = Map.groupBy(holding, ({ offer }) => offer.machine_id);
  const rented = new Set<number>();
  for (const [index, row] of table.rows.entries()) {
    if (byMachine.get(row.machine_id)?.some(({ offer }) => overlap(offer, row))) rented.add(index);
  }
  if (rented.size === 0) return table;
  const rows = table.rows.map((row, index) =>
    rented.has(index) ? { ...row, rentable: false, rented: true } : row,
  );
  const marked = createOfferTable(rows);
  return {
    rows,
    has: (field) => field === 'rentable' || field === 'rented' || table.has(field),
    // Only two columns differ; the others need not be computed again.
    keys: (field) => (field === 'rentable' || field === 'rented' ? marked.keys(field) : table.keys(field)),
    standing: table.standing,
    remembered: marked.remembered,
  };
}

function overlap(offer: Readonly<Record<string, unknown>>, row: OfferRow): boolean {
  const [held, wanted] = [offer.gpu_ids, row.gpu_ids];
  if (!Array.isArray(held) || !Array.isArray(wanted)) return true;
  return wanted.some((gpu) => held.includes(gpu));
}
