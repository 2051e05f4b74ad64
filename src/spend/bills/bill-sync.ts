import { type BillingCertificate, blankBillingCertificate } from '../../books/billing-certificate.ts';
import { MarketError, UserError } from '../../core/errors.ts';
import { type BillingKind, type BillingRange, billingNames } from './bill.ts';
import { takePage } from './bill-page.ts';
import { planPart } from './bill-parts.ts';
import type { BillingReader } from './bill-reader.ts';
import { type BillingWalk, findDoubt, startWalk } from './bill-walk.ts';
import { mergeSync } from './merge.sql.ts';
import { countRejected, countRepeated } from './staged.sql.ts';
import { abandonSync, advanceSync, beginSync, type OpenSync } from './syncs.sql.ts';

/** How a sync ended; `reason` null: complete. */
export interface SyncResult {
  certificate: BillingCertificate;
  reason: string | null;
}

/** Attempts at a part before it is accepted as it is, and the maximum of such parts in a row. */
const maxAttempts = 4;
const maxFailed = 3;
/** How often a walk restarts because the market rejects its token. */
const maxRestarts = 5;
/** Above this share of unreadable rows the next sync reads the whole window again. */
const rejectedShareLimit = 0.02;

/** Returns a sync at its first page. */
export async function newSync(
  { sql, market }: BillingReader,
  { id, startedAt, from, to }: BillingRange & { id: string; startedAt: Date },
): Promise<OpenSync> {
  const walk = startWalk(
    { from: from?.toISOString() ?? null, to: to?.toISOString() ?? null },
    { round: 1, afterPage: 0, capacity: 0, rowsBefore: 0, failedParts: 0 },
  );
  const certificate = blankBillingCertificate();
  return await beginSync(sql, { id, ...market, range: { from, to }, startedAt, walk, certificate });
}

/**
 * Continues a sync page by page until it has ended and is merged. Reads pages of the whole window first and, if those
 * did not fit together, its parts one by one. Throws MarketError, UserError and the signal's reason, and leaves the
 * sync at the last stored page.
 */
export async function readToEnd(reader: BillingReader, open: OpenSync): Promise<SyncResult> {
  // A process that ran the sync before loses it, even if that process wakes up later.
  let sync = await advance(reader, open, open);
  reader.onPhase?.('paging');
  for (;;) {
    reader.signal?.throwIfAborted();
    const next = sync.walk.ended ? await judgeWalk(reader, sync) : await nextPage(reader, sync);
    if ('result' in next) return next.result;
    sync = next;
    reader.onStep(sync);
  }
}

async function nextPage(reader: BillingReader, sync: OpenSync): Promise<OpenSync> {
  const { kind } = reader.market;
  let taken: Awaited<ReturnType<typeof takePage>>;
  try {
    taken = await takePage(reader, sync);
  } catch (error) {
    const isRefused = error instanceof MarketError && error.code === 'invalid_token';
    if (isRefused && sync.walk.token !== null) return await restart(reader, sync, error);
    throw error;
  }
  if (taken.kind === 'overtaken') throw overtaken(kind);
  if (taken.kind === 'token ignored') {
    const reason = `the market returned the same pages again: is the token's parameter named differently there? See ${reader.source.tokenSetting}`;
    await abandonSync(reader.sql, sync.id, { at: reader.now(), reason });
    throw new UserError(`The ${billingNames[kind]} were not read: ${reason}.`);
  }
  const { walk, certificate } = taken.sync;
  reader.onProgress?.(walk.rowsBefore + walk.rows, certificate.lastTotal);
  return taken.sync;
}

/** Returns to the first page of the range, because the market no longer accepts the token. */
async function restart(reader: BillingReader, sync: OpenSync, cause: unknown): Promise<OpenSync> {
  const { walk } = sync;
  const certificate = { ...sync.certificate, restarts: sync.certificate.restarts + 1 };
  if (certificate.restarts > maxRestarts) {
    const reason = 'the market refuses its own page tokens';
    await abandonSync(reader.sql, sync.id, { at: reader.now(), reason });
    throw new UserError(`The ${billingNames[reader.market.kind]} were not read: ${reason}.`, { cause });
  }
  const again = startWalk({ from: walk.from, to: walk.to }, { ...carriedOf(walk), afterPage: sync.pages });
  return await advance(reader, sync, { walk: again, certificate, dropAfter: walk.afterPage });
}

const carriedOf = ({ round, capacity, rowsBefore, failedParts, attempt, digestBefore }: BillingWalk) => ({
  round,
  capacity,
  rowsBefore,
  failedParts,
  attempt,
  digestBefore,
});

/** Decides what follows a walk over all pages of a range: the next part, the same part again, or the end. */
async function judgeWalk(reader: BillingReader, sync: OpenSync): Promise<OpenSync | { result: SyncResult }> {
  const { sql, source } = reader;
  const { walk } = sync;
  const repeated = walk.pages > 1 ? await countRepeated(sql, sync.id, walk.afterPage) : 0;
  const doubt = findDoubt(walk, repeated);
  const certificate = { ...sync.certificate };
  const readPart = async (part: { from: string | null; attempt: number; failedParts: number }) => {
    const next = await planPart(sql, source, sync, part);
    const dropAfter = part.attempt > 1 ? walk.afterPage : null;
    return await advance(reader, sync, { walk: next, certificate, dropAfter });
  };
  if (walk.round === 1) {
    if (doubt === null) return await endSync(reader, sync, null, 1);
    Object.assign(certificate, { moved: doubt, repeated });
    return await readPart({ from: walk.from, attempt: 1, failedParts: 0 });
  }
  if (doubt !== null && walk.attempt < maxAttempts) {
    return await readPart({ from: walk.from, attempt: walk.attempt + 1, failedParts: walk.failedParts });
  }
  certificate.parts += 1;
  certificate.unprovedParts += doubt === null ? 0 : 1;
  const failedParts = doubt === null ? 0 : walk.failedParts + 1;
  const isLast = walk.to === (sync.to?.toISOString() ?? null);
  if (!isLast && failedParts < maxFailed) return await readPart({ from: walk.to, attempt: 1, failedParts });
  const unproved =
    certificate.unprovedParts === 0 ? null : (doubt ?? 'the pages of some parts do not fit together');
  return await endSync(reader, { ...sync, certificate }, unproved, isLast ? 2 : 1);
}

/**
 * Merges the rows of the rounds since `sinceRound`; `unproved` says why the window may be incomplete; null: complete.
 */
async function endSync(
  reader: BillingReader,
  sync: OpenSync,
  unproved: string | null,
  sinceRound: 1 | 2,
): Promise<{ result: SyncResult }> {
  const { sql, market, crawlId, now } = reader;
  reader.onPhase?.('merge');
  const rejected = await countRejected(sql, sync.id, sync.walk.round);
  const unreadable = Object.values(rejected).reduce((sum, count) => sum + count, 0);
  const { rows } = sync.certificate;
  const durationMs = now().getTime() - sync.startedAt.getTime();
  const certificate = { ...sync.certificate, rejected, durationMs };
  const reason = unproved ?? (unreadable === 0 ? null : `${unreadable} of ${rows} rows could not be read`);
  const proved = unproved === null;
  const whole = proved && unreadable <= rows * rejectedShareLimit;
  const kept = await mergeSync(sql, market, sync, {
    crawlId,
    now,
    reason,
    proved,
    whole,
    sinceRound,
    certificate,
  });
  if (kept === null) throw overtaken(market.kind);
  return { result: { certificate: { ...certificate, kept }, reason } };
}

async function advance(
  { sql, market }: BillingReader,
  sync: OpenSync,
  step: Pick<OpenSync, 'walk' | 'certificate'> & { dropAfter?: number | null },
): Promise<OpenSync> {
  const { walk, certificate, dropAfter = null } = step;
  const turned = await advanceSync(sql, sync, { walk, certificate, dropAfter });
  if (turned === null) throw overtaken(market.kind);
  return turned;
}

const overtaken = (kind: BillingKind): UserError =>
  new UserError(`Another process has continued this sync of the ${billingNames[kind]}.`);
