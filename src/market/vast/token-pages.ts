import { MarketError } from '../../core/errors.ts';
import type { RejectedRow } from '../instance.ts';
import type { JsonObject } from './answer.ts';
import { idFrom, textOf } from './record-fields.ts';
import { type ReadRows, type RecordFields, type RowReading, readRows, rowsUnder } from './record-rows.ts';

/** One page of a listing that continues by a token. */
export interface TokenPage<T> {
  /** In the order of the answer. */
  entries: T[];
  rejected: RejectedRow[];
  /** Rows as delivered, readable or not. */
  rows: number;
  /** `count`: entries in this page; null: not said. */
  count: number | null;
  /** `total`: entries that match; null: not said. */
  total: number | null;
  /** What the next page is asked with; null: there is none. */
  nextToken: string | null;
  replacedCharacters: number;
  retries: number;
  throttles: number;
}

/** Reads an answer with exact numbers as a page; its rows are under `results`. */
export async function readTokenPage<T extends object>(
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
    ...{ retries, throttles },
  };
}

/**
 * Every page, one request each as they are taken; `fetchPage` gets null first. A market that gives a token
 * twice, or the same rows for two tokens, ignores the token: MarketError `contract` that names `setting`.
 */
export async function* walkTokenPages<T extends { raw: string }>(
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
      const message = `${endpoint} gave the same page again: does the market call the token otherwise? See ${setting}`;
      throw new MarketError(message, { kind: 'contract', endpoint, httpStatus: 200 });
    }
    yield page;
    if (page.nextToken === null) return;
    used.add(page.nextToken);
    before = contents;
    token = page.nextToken;
  }
}
