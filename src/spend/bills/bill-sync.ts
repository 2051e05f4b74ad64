import { type BillingCertificate, blankBillingCertificate } from '../../books/billing-certificate.ts';
import { MarketError, UserError } from '../../core/errors.ts';
import { type BillingKind, type BillingRange, billingNames } from './bill.ts';
import { takePage } from './bill-page.ts';
import { planPart } from './bill-parts.ts';
import type { BillingReader } from './bill-reader.ts';
import { type BillingWalk, findDoubt, startWalk } from './bill-walk.ts';
import { mergeReading } from './merge.sql.ts';
import { countRejected, countRepeated } from './staged.sql.ts';
import { abandonReading, beginReading, type OpenReading, turnReading } from './syncs.sql.ts';

/** How a reading ended; `reason` null: complete. */
export interface ReadingResult {
  certificate: BillingCertificate;
  reason: string | null;
}

/** Attempts at a part before it is kept as it came, and parts in a row that are. */
const maxAttempts = 4;
const maxFailed = 3;
/** How often a walk begins anew because the market refuses its token. */
const maxRestarts = 5;
/** Above this share of unreadable rows the window will be read again as a whole. */
const rejectedShareLimit = 0.02;

/** A reading at its first page. */
export async function newReading(
  { sql, market }: BillingReader,
  { id, startedAt, from, to }: BillingRange & { id: string; startedAt: Date },
): Promise<OpenReading> {
  const walk = startWalk(
    { from: from?.toISOString() ?? null, to: to?.toISOString() ?? null },
    { round: 1, afterPage: 0, capacity: 0, rowsBefore: 0, givenUp: 0 },
  );
  const certificate = blankBillingCertificate();
  return await beginReading(sql, { id, ...market, range: { from, to }, startedAt, walk, certificate });
}

/**
 * Goes on with a reading page by page until it has ended and is merged. Pages of the whole window come first; where
 * those did not fit together, its parts one by one. Throws MarketError, UserError and the signal's reason, and
 * leaves the reading as far as it came.
 */
export async function readToEnd(reader: BillingReader, open: OpenReading): Promise<ReadingResult> {
  // Whoever had it before loses its turn, should it ever wake.
  let reading = await turnTo(reader, open, open);
  reader.onPhase?.('paging');
  for (;;) {
    reader.signal?.throwIfAborted();
    const next = reading.walk.ended ? await judgeWalk(reader, reading) : await nextPage(reader, reading);
    if ('result' in next) return next.result;
    reading = next;
    reader.onStep(reading);
  }
}

async function nextPage(reader: BillingReader, reading: OpenReading): Promise<OpenReading> {
  const { kind } = reader.market;
  let taken: Awaited<ReturnType<typeof takePage>>;
  try {
    taken = await takePage(reader, reading);
  } catch (error) {
    const isRefused = error instanceof MarketError && error.code === 'invalid_token';
    if (isRefused && reading.walk.token !== null) return await restart(reader, reading, error);
    throw error;
  }
  if (taken.kind === 'overtaken') throw overtaken(kind);
  if (taken.kind === 'circle') {
    const setting = `${reader.source.tokenSetting} in MARKET_DIALECT`;
    const reason = `the market gave the same pages again: does it call the token otherwise? See ${setting}`;
    await abandonReading(reader.sql, reading.id, { at: reader.now(), reason });
    throw new UserError(`The ${billingNames[kind]} were not read: ${reason}.`);
  }
  const { walk, certificate } = taken.reading;
  reader.onProgress?.(walk.rowsBefore + walk.rows, certificate.lastTotal);
  return taken.reading;
}

/** Back to the first page of the range: the market takes the token no longer. */
async function restart(reader: BillingReader, reading: OpenReading, cause: unknown): Promise<OpenReading> {
  const { walk } = reading;
  const certificate = { ...reading.certificate, restarts: reading.certificate.restarts + 1 };
  if (certificate.restarts > maxRestarts) {
    const reason = 'the market refuses the tokens that it gave itself';
    await abandonReading(reader.sql, reading.id, { at: reader.now(), reason });
    throw new UserError(`The ${billingNames[reader.market.kind]} were not read: ${reason}.`, { cause });
  }
  const again = startWalk({ from: walk.from, to: walk.to }, { ...keptOf(walk), afterPage: reading.pages });
  return await turnTo(reader, reading, { walk: again, certificate, dropAfter: walk.afterPage });
}

const keptOf = ({ round, capacity, rowsBefore, givenUp, attempt, digestBefore }: BillingWalk) => ({
  ...{ round, capacity, rowsBefore, givenUp, attempt, digestBefore },
});

/** What comes after a walk over all pages of a range: the next part, the same again, or the end. */
async function judgeWalk(
  reader: BillingReader,
  reading: OpenReading,
): Promise<OpenReading | { result: ReadingResult }> {
  const { sql, source } = reader;
  const { walk } = reading;
  const repeated = walk.pages > 1 ? await countRepeated(sql, reading.id, walk.afterPage) : 0;
  const doubt = findDoubt(walk, repeated);
  const certificate = { ...reading.certificate };
  const turnToPart = async (part: { from: string | null; attempt: number; givenUp: number }) => {
    const next = await planPart(sql, source, reading, part);
    const dropAfter = part.attempt > 1 ? walk.afterPage : null;
    return await turnTo(reader, reading, { walk: next, certificate, dropAfter });
  };
  if (walk.round === 1) {
    if (doubt === null) return await endReading(reader, reading, null, 1);
    Object.assign(certificate, { moved: doubt, repeated });
    return await turnToPart({ from: walk.from, attempt: 1, givenUp: 0 });
  }
  if (doubt !== null && walk.attempt < maxAttempts) {
    return await turnToPart({ from: walk.from, attempt: walk.attempt + 1, givenUp: walk.givenUp });
  }
  certificate.parts += 1;
  certificate.unprovedParts += doubt === null ? 0 : 1;
  const givenUp = doubt === null ? 0 : walk.givenUp + 1;
  const isLast = walk.to === (reading.to?.toISOString() ?? null);
  if (!isLast && givenUp < maxFailed) return await turnToPart({ from: walk.to, attempt: 1, givenUp });
  const unproved = certificate.unprovedParts === 0 ? null : (doubt ?? 'some parts would not fit together');
  return await endReading(reader, { ...reading, certificate }, unproved, isLast ? 2 : 1);
}

/**
 * Merges what the rounds since `sinceRound` gave; `unproved` says why it may not be all of the window, null: it is.
 */
async function endReading(
  reader: BillingReader,
  reading: OpenReading,
  unproved: string | null,
  sinceRound: 1 | 2,
): Promise<{ result: ReadingResult }> {
  const { sql, market, crawlId, now } = reader;
  reader.onPhase?.('merge');
  const rejected = await countRejected(sql, reading.id, reading.walk.round);
  const unreadable = Object.values(rejected).reduce((sum, count) => sum + count, 0);
  const { rows } = reading.certificate;
  const durationMs = now().getTime() - reading.startedAt.getTime();
  const certificate = { ...reading.certificate, rejected, durationMs };
  const reason = unproved ?? (unreadable === 0 ? null : `${unreadable} of ${rows} rows could not be read`);
  const proved = unproved === null;
  const whole = proved && unreadable <= rows * rejectedShareLimit;
  const kept = await mergeReading(sql, market, reading, {
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

async function turnTo(
  { sql, market }: BillingReader,
  reading: OpenReading,
  step: Pick<OpenReading, 'walk' | 'certificate'> & { dropAfter?: number | null },
): Promise<OpenReading> {
  const { walk, certificate, dropAfter = null } = step;
  const turned = await turnReading(sql, reading, { walk, certificate, dropAfter });
  if (turned === null) throw overtaken(market.kind);
  return turned;
}

const overtaken = (kind: BillingKind): UserError =>
  new UserError(`Another process has gone on with this reading of the ${billingNames[kind]}.`);
