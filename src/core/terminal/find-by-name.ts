import { UsageError } from '../errors.ts';
import type { Api } from './api.ts';

interface Named {
  id: string;
  name: string;
}

/** Which page of a list is read. */
interface PageParams {
  limit: number;
  cursor: string | undefined;
}

/** Reads a page of a list. */
export type ReadPage<T> = (page: PageParams) => Promise<{ items: T[]; nextCursor: string | null }>;

/** Returns all items of a list of the API, read page by page. */
export async function readAll<T>(read: ReadPage<T>): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await read({ limit: 1000, cursor });
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}

/** Returns the item of a list with this id or name. Throws UsageError if there is none. */
export async function findByName<T extends Named>(
  what: string,
  which: string,
  read: ReadPage<T>,
): Promise<T> {
  const all = await readAll(read);
  const found = all.find(({ id }) => id === which) ?? all.find(({ name }) => name === which);
  if (found === undefined)
    throw new UsageError(`There is no ${what} ${which}: \`offerbook ${what} list\` shows all.`);
  return found;
}

/** Returns the ids of channels that are given by name or id. Throws UsageError for an unknown one. */
export async function findChannels(api: Api, names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const which of names) ids.push((await findByName('channel', which, api.listChannels)).id);
  return ids;
}
