import type { Changes } from '../../core/address.ts';
import type { DealColumn } from './deal-columns.ts';

/** What ranked offers are sorted by: a column of the API, `rank` for the metric they are ranked by. */
export interface DealSort {
  name: string;
  order: 'asc' | 'desc';
}

/** Returns the order that an address has. */
export const chosenSort = (query: URLSearchParams): DealSort => ({
  name: query.get('sort') ?? 'rank',
  order: query.get('order') === 'desc' ? 'desc' : 'asc',
});

/** Returns an order as a change of the address. */
export const sortChanges = ({ name, order }: DealSort): Changes => ({
  sort: name === 'rank' ? null : name,
  order: order === 'asc' ? null : order,
});

/** Returns the order after a click on a column's head: its best values first, then turned with each click. */
export function nextSort(now: DealSort, column: Pick<DealColumn, 'name' | 'best'>): DealSort {
  const { name, best } = column;
  if (now.name !== name) return { name, order: best === 'high' ? 'desc' : 'asc' };
  return { name, order: now.order === 'asc' ? 'desc' : 'asc' };
}
