import type { BillingCertificate } from '../../books/billing-certificate.ts';
import { hashOf } from './bill-entries.ts';
import type { BillingReader } from './bill-reader.ts';
import type { BillingPage } from './bill-source.ts';
import { advanceWalk, type BillingWalk, repeatsPages } from './bill-walk.ts';
import { type OpenSync, type StagedRow, savePage } from './syncs.sql.ts';

/** Maximum requests for a page whose `count` differs from its number of rows. */
const maxAnswers = 3;

/** A stored page, or why none was stored: another process continued the sync, or the market ignores the token. */
export type TakenPage = { kind: 'kept'; sync: OpenSync } | { kind: 'overtaken' } | { kind: 'token ignored' };

/** Requests the next page of a sync and stores it with the state after it. Throws MarketError. */
export async function takePage(reader: BillingReader, sync: OpenSync): Promise<TakenPage> {
  const { source, signal, sql } = reader;
  const { walk } = sync;
  const range = { from: dateOf(walk.from), to: dateOf(walk.to) };
  const certificate = { ...sync.certificate };
  let page: BillingPage;
  let answers = 0;
  do {
    page = await source.readPage(range, walk.token, signal);
    answers += 1;
    noteAnswer(certificate, page);
  } while (isMiscounted(page) && answers < maxAnswers);
  const after = advanceWalk(walk, { ...page, ...judgeRows(page, walk), miscounted: isMiscounted(page) });
  if (repeatsPages(walk, after)) return { kind: 'token ignored' };
  if (walk.round === 1) certificate.lastTotal = page.total;
  if (walk.round === 1 && walk.pages === 0) certificate.firstTotal = page.total;
  certificate.rows = after.rowsBefore + after.rows;
  const kept = await savePage(sql, sync, stagedRows(page), { walk: after, certificate });
  return kept === null ? { kind: 'overtaken' } : { kind: 'kept', sync: kept };
}

const isMiscounted = ({ count, rows }: BillingPage): boolean => count !== null && count !== rows;

function noteAnswer(certificate: BillingCertificate, page: BillingPage): void {
  certificate.pages += 1;
  certificate.miscounted += isMiscounted(page) ? 1 : 0;
  certificate.replacedCharacters += page.replacedCharacters;
  certificate.retries += page.retries;
  certificate.throttles += page.throttles;
}

function judgeRows(
  { entries, rejected }: BillingPage,
  walk: BillingWalk,
): { digest: string; digestAfter: string; strays: boolean } {
  const [from, to] = [dateOf(walk.from), dateOf(walk.to)];
  const rows = entries.map(({ identity, contentHash }) => [identity, contentHash]);
  const digest = hashOf(JSON.stringify([rows, rejected]));
  return {
    digest: entries.length > 1 ? digest : '',
    digestAfter: hashOf(walk.digest + digest),
    strays: entries.some(
      ({ startAt }) => (from !== null && startAt < from) || (to !== null && startAt >= to),
    ),
  };
}

const stagedRows = ({ entries, rejected }: BillingPage): StagedRow[] => [
  ...entries.map((entry) => ({ entry })),
  ...rejected.map(({ reason }) => ({ rejected: reason })),
];

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));
