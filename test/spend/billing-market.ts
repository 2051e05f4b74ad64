import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A record of a billing list as the market would send it; `start` in unix seconds. */
export type BillingRecord = Record<string, unknown> & { start: number };

/** One question for a page. */
export interface BillingQuestion {
  path: string;
  /** The filters as sent, JSON text. */
  filters: string;
  token: string | null;
  limit: number;
  latestFirst: boolean;
}

interface BillingMarketOptions {
  /** @default 'offset': pages shift when rows come or go before them */
  tokens?: 'offset' | 'last-row';
  /** Called before each answer with its number from 1; may change the records, or give another answer. */
  beforeAnswer?: (number: number, question: BillingQuestion) => { status: number; body: string } | undefined;
  /** Changes a correct page. */
  change?: (body: Page, question: BillingQuestion) => object;
  /** @default JSON.stringify */
  write?: (body: object) => string;
}

interface Page {
  success: true;
  count: number;
  total: number;
  next_token: string | null;
  results: BillingRecord[];
}

/** The moment of test crawls; payments are of the days before. */
export const crawledAt = new Date('2026-03-01T00:00:00Z');
export const crawledS = crawledAt.getTime() / 1_000;

/** Payments an hour apart, oldest first, the last an hour ago; ids from 1. */
export const payments = (count: number): BillingRecord[] =>
  Array.from({ length: count }, (_, index) => payment(index + 1, crawledS - (count - index) * 3_600));

/** A paid invoice. */
export const payment = (id: number, start: number, more: Record<string, unknown> = {}): BillingRecord => ({
  start,
  end: start,
  type: 'credit',
  source: 'card',
  description: `Payment ${id}`,
  amount: -id,
  metadata: { invoice_id: id, service: 'cardproc_payments' },
  items: [],
  ...more,
});

/**
 * A market that knows only its billing lists, in the order of `start` and then as they stand in `records`, which may
 * be changed between answers.
 */
export async function startBillingMarket(
  records: BillingRecord[],
  { tokens = 'offset', beforeAnswer, change, write = JSON.stringify }: BillingMarketOptions = {},
): Promise<{ url: string; questions: BillingQuestion[] }> {
  const questions: BillingQuestion[] = [];
  const server = createServer((request, response) => {
    const question = readQuestion(request.url ?? '/');
    questions.push(question);
    const other = beforeAnswer?.(questions.length, question);
    if (other !== undefined) send(response, other.status, other.body);
    else {
      const body = answer(records, question, tokens);
      const given = body === null ? refusal : (change?.(body, question) ?? body);
      send(response, body === null ? 400 : 200, write(given));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, questions };
}

const refusal = { success: false, error: 'invalid_token' };
/** The answer to a token that the market has forgotten. */
export const refusedToken = { status: 400, body: JSON.stringify(refusal) };

function readQuestion(address: string): BillingQuestion {
  const { pathname, searchParams } = new URL(address, 'http://market');
  return {
    path: pathname,
    filters: searchParams.get('select_filters') ?? '',
    token: searchParams.get('next_token') ?? searchParams.get('after_token'),
    limit: Number(searchParams.get('limit')),
    latestFirst: searchParams.get('latest_first') !== 'false',
  };
}

/** null: the token does not belong to this query. */
function answer(
  records: readonly BillingRecord[],
  { filters, token, limit, latestFirst }: BillingQuestion,
  tokens: 'offset' | 'last-row',
): Page | null {
  const { when, day } = JSON.parse(filters) as Record<string, Record<string, number> | undefined>;
  const {
    gte = Number.NEGATIVE_INFINITY,
    lt = Number.POSITIVE_INFINITY,
    lte = Number.POSITIVE_INFINITY,
  } = when ?? day ?? {};
  const found = records
    .filter(({ start }) => start >= gte && start < lt && start <= lte)
    .sort((a, b) => (a.start - b.start) * (latestFirst ? -1 : 1));
  const [asked, place] = token === null ? [filters, '0'] : (token.split('#') as [string, string]);
  if (asked !== filters) return null;
  const begin = tokens === 'offset' ? Number(place) : placeAfter(found, place);
  const results = found.slice(begin, begin + limit);
  const last = results.at(-1);
  const isLast = begin + limit >= found.length || last === undefined;
  const next = tokens === 'offset' ? String(begin + limit) : JSON.stringify(last);
  return {
    success: true,
    count: results.length,
    total: found.length,
    next_token: isLast ? null : `${filters}#${next}`,
    results,
  };
}

function placeAfter(found: readonly BillingRecord[], row: string): number {
  return row === '0' ? 0 : found.findIndex((record) => JSON.stringify(record) === row) + 1;
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}
