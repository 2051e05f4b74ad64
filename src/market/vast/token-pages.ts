import { MarketError } from '../../core/errors.ts';
import type { TokenPage } from '../bills.ts';
import type { CallOptions } from '../call.ts';
import type { JsonObject } from '../wire/answer.ts';
import { idFrom, textOf } from '../wire/record-fields.ts';
import {
  type ReadRows,
  type RecordFields,
  type RowReading,
  readRows,
  rowsUnder,
} from '../wire/record-rows.ts';
import type { Engines } from './call.ts';

/** A listing that continues with a token, and its requests. */
interface TokenListing<Query, T> {
  /** Its name in the dialect's settings and limits. */
  endpoint: 'charges' | 'invoices';
  path: string;
  tokenParameter: string;
  /** Returns the query parameters without a token. Throws UserError for a query that the market would refuse. */
  toParameters: (query: Query) => Record<string, string>;
  read: (fields: RecordFields, raw: string, exact: RecordFields) => RowReading<T>;
}

/** Reads one page, or every page in turn with the same filters. Both throw MarketError. */
export interface TokenCalls<Query, T> {
  /** `token` is the previous page's `nextToken`, null for the first. */
  readPage: (query: Query, token: string | null, options?: CallOptions) => Promise<TokenPage<T>>;
  listPages: (query: Query, options?: CallOptions) => AsyncGenerator<TokenPage<T>, void, undefined>;
}

/** Creates the calls of a listing over `engines`; amounts keep the response's digits. */
export function createTokenCalls<Query, T extends { raw: string }>(
  engines: Engines,
  { endpoint, path, tokenParameter, toParameters, read }: TokenListing<Query, T>,
): TokenCalls<Query, T> {
  const url = `GET ${path}`;
  const ask = async (
    parameters: Record<string, string>,
    token: string | null,
    { signal }: CallOptions,
  ): Promise<TokenPage<T>> => {
    const query = token === null ? parameters : { ...parameters, [tokenParameter]: token };
    const call = { endpoint, method: 'GET', path, query, listKey: 'results', exactNumbers: true } as const;
    return await readTokenPage(await engines.read.send({ ...call, repeat: 'always' }, signal), url, read);
  };
  return {
    readPage: async (query, token, options = {}) => await ask(toParameters(query), token, options),
    async *listPages(query, options = {}) {
      const parameters = toParameters(query);
      const setting = `${endpoint}.tokenParameter in ${engines.names.dialect}`;
      yield* walkTokenPages(async (token) => await ask(parameters, token, options), url, setting);
    },
  };
}

/** Reads a response with exact numbers as a page; its rows are under `results`. */
async function readTokenPage<T extends object>(
  answer: { json: JsonObject; replacedCharacters: number; retries: number; throttles: number },
  endpoint: string,
  read: (fields: RecordFields, raw: string, exact: RecordFields) => RowReading<T>,
): Promise<TokenPage<T>> {
  const { json, replacedCharacters, retries, throttles } = answer;
  const rows = rowsUnder(json, 'results', endpoint);
  const { items, ...readings }: ReadRows<T> = await readRows(rows, read);
  return {
    entries: items,
    rejected: readings.rejected,
    rows: rows.length,
    count: idFrom(json.count),
    total: idFrom(json.total),
    nextToken: textOf(json.next_token),
    replacedCharacters: replacedCharacters + readings.replacedCharacters,
    retries,
    throttles,
  };
}

/**
 * Yields every page, one request each as they are consumed; `fetchPage` gets null first. A market that repeats a token,
 * or returns the same rows for two tokens, ignores the token: MarketError `contract`, with `setting`.
 */
async function* walkTokenPages<T extends { raw: string }>(
  fetchPage: (token: string | null) => Promise<TokenPage<T>>,
  endpoint: string,
  setting: string,
): AsyncGenerator<TokenPage<T>, void, undefined> {
  const used = new Set<string>();
  let before = '';
  for (let token: string | null = null; ; ) {
    const page = await fetchPage(token);
    const contents = page.entries.map(({ raw }) => raw).join('\n');
    const isRepeated = contents !== '' && contents === before;
    if (isRepeated || (page.nextToken !== null && used.has(page.nextToken))) {
      const message = `${endpoint} returned the same page again: is the token's parameter named differently there? See ${setting}`;
      throw new MarketError(message, { kind: 'contract', endpoint, httpStatus: 200 });
    }
    yield page;
    if (page.nextToken === null) return;
    used.add(page.nextToken);
    before = contents;
    token = page.nextToken;
  }
}
