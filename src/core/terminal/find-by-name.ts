import type { Query } from '../../../client/client.js';
import { UsageError } from '../errors.ts';
import type { Api } from './api.ts';

interface Named {
  id: string;
  name: string;
}

/** Returns all items of a list of the API, read page by page. */
export async function readAll<T>(api: Api, path: string, query: Query = {}): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const page: { items: T[]; nextCursor: string | null } = await api.request(path, {
      query: { ...query, limit: 1000, cursor },
    });
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}

/** Returns the item of a list with this id or name. Throws UsageError if there is none. */
export async function findByName<T extends Named>(
  api: Api,
  {
    path,
    what,
    which,
    query,
  }: { path: string; what: string; which: string; query?: Record<string, string | undefined> },
): Promise<T> {
  const all = await readAll<T>(api, path, query);
  const found = all.find(({ id }) => id === which) ?? all.find(({ name }) => name === which);
  if (found === undefined)
    throw new UsageError(`There is no ${what} ${which}: \`offerbook ${what} list\` shows all.`);
  return found;
}

/** Returns the ids of channels that are given by name or id. Throws UsageError for an unknown one. */
export async function findChannels(api: Api, names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const which of names) {
    ids.push((await findByName(api, { path: '/api/channels', what: 'channel', which })).id);
  }
  return ids;
}
