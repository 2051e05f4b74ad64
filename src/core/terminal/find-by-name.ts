import { UsageError } from '../errors.ts';
import type { Api } from './api.ts';

interface Named {
  id: string;
  name: string;
}

/** Everything of a list of the API, page by page. */
export async function readAll<T>(
  api: Api,
  path: string,
  query: Record<string, string | undefined> = {},
): Promise<T[]> {
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

/** The one of a list that has this id or this name. Throws UsageError when none has. */
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
  if (found === undefined) throw new UsageError(`There is no ${what} ${which}: \`${what} list\` shows them.`);
  return found;
}

/** The ids of channels by their names or ids. Throws UsageError for what is none. */
export async function findChannels(api: Api, names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const which of names) {
    ids.push((await findByName(api, { path: '/api/channels', what: 'channel', which })).id);
  }
  return ids;
}
