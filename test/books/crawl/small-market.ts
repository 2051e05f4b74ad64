import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A record with the fields that every offer needs. */
export type SmallRecord = Record<string, unknown> & { id: number; dph_total: number };

/** Ids from 1; one machine each; prices that go up in cents unless given. */
export function smallRecords(
  count: number,
  priceOf: (id: number) => number = (id) => id / 100,
): SmallRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const id = index + 1;
    const price = priceOf(id);
    return {
      id,
      machine_id: 1000 + id,
      gpu_name: 'RTX 4090',
      num_gpus: 1,
      dph_base: price,
      dph_total: price,
      storage_cost: 0,
    };
  });
}

interface SmallMarketOptions {
  /** Rows of one answer at most. */
  cap: number;
  /** false: `id > last` has no effect. */
  filtersIds?: boolean;
  /** false: of a list only the first value counts. @default true */
  readsLists?: boolean;
  /** Whether the answer of this number, from 1, leaves out this row before it is cut. @default none */
  hides?: (number: number, record: SmallRecord) => boolean;
  /** Called before each answer with its number from 1; may change the market, or give another answer. */
  beforeAnswer?: (number: number) => { status: number; body: string } | undefined;
}

type TextCondition = { eq?: string; in?: string[]; notin?: string[] };

interface Search {
  limit: number;
  gpu_name?: TextCondition;
  verification?: TextCondition;
  order: [string, 'asc' | 'desc'][];
  id?: { gt: number };
  dph_total?: { gte?: number; eq?: number };
}

/**
 * A market that knows only what paging uses: order by id or by price, `id > last`, price at least or exactly,
 * and by name models and tiers; records without a tier have any.
 * `records` may be changed between answers.
 */
export async function startSmallMarket(
  records: SmallRecord[],
  options: SmallMarketOptions,
): Promise<{ url: string; searches: Search[] }> {
  const searches: Search[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const search = JSON.parse(Buffer.concat(parts).toString()) as Search;
    searches.push(search);
    const number = searches.length;
    const other = options.beforeAnswer?.(number);
    const { status, body } = other ?? {
      status: 200,
      body: JSON.stringify({
        offers: answer(
          records.filter((record) => !options.hides?.(number, record)),
          search,
          options,
        ),
      }),
    };
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, searches };
}

function answer(
  records: readonly SmallRecord[],
  search: Search,
  { cap, filtersIds = true, readsLists = true }: SmallMarketOptions,
): SmallRecord[] {
  const { gte = Number.NEGATIVE_INFINITY, eq } = search.dph_total ?? {};
  const named = (condition: TextCondition | undefined, value: unknown): boolean => {
    if (condition === undefined || value === undefined) return true;
    const { eq: only, in: list, notin } = condition;
    const wanted = only === undefined ? list?.slice(0, readsLists ? list.length : 1) : [only];
    if (wanted?.includes(String(value)) === false) return false;
    return notin?.includes(String(value)) !== true;
  };
  const found = records.filter(
    (record) =>
      record.dph_total >= gte &&
      (eq === undefined || record.dph_total === eq) &&
      named(search.gpu_name, record.gpu_name) &&
      named(search.verification, record.verification) &&
      (!filtersIds || search.id === undefined || record.id > search.id.gt),
  );
  const byPrice = search.order[0]?.[0] === 'dph_total';
  const upwards = search.order[0]?.[1] === 'desc' ? -1 : 1;
  found.sort((a, b) => upwards * ((byPrice ? a.dph_total - b.dph_total : 0) || a.id - b.id));
  return found.slice(0, Math.min(search.limit, cap));
}
