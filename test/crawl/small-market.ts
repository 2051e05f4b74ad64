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
  /** Called before each answer with its number from 1; may change the market, or give another answer. */
  beforeAnswer?: (number: number) => { status: number; body: string } | undefined;
}

interface Search {
  limit: number;
  order: [string, 'asc'][];
  id?: { gt: number };
  dph_total?: { gte?: number; eq?: number };
}

/**
 * A market that knows only what paging uses: order by id or by price, `id > last`, price at least or exactly.
 * `records` may be changed between answers.
 */
export async function startSmallMarket(
  records: SmallRecord[],
  { cap, filtersIds = true, beforeAnswer }: SmallMarketOptions,
): Promise<{ url: string; searches: Search[] }> {
  const searches: Search[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const search = JSON.parse(Buffer.concat(parts).toString()) as Search;
    searches.push(search);
    const other = beforeAnswer?.(searches.length);
    const { status, body } = other ?? {
      status: 200,
      body: JSON.stringify({ offers: answer(records, search, filtersIds, cap) }),
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
  filtersIds: boolean,
  cap: number,
): SmallRecord[] {
  const { gte = Number.NEGATIVE_INFINITY, eq } = search.dph_total ?? {};
  const found = records.filter(
    ({ id, dph_total: price }) =>
      price >= gte &&
      (eq === undefined || price === eq) &&
      (!filtersIds || search.id === undefined || id > search.id.gt),
  );
  const byPrice = search.order[0]?.[0] === 'dph_total';
  found.sort((a, b) => (byPrice ? a.dph_total - b.dph_total : 0) || a.id - b.id);
  return found.slice(0, Math.min(search.limit, cap));
}
