import { failureReason } from '../../books/crawl/failure-reason.ts';
import type { CrawlCause } from '../../books/crawls.sql.ts';
import { MarketError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Sql } from '../../database/connection.ts';
import type { InstanceCalls, InstanceList } from '../../market/account.ts';
import type { AskAgain } from '../../market/crawl-book.ts';
import type { Instance } from '../../market/instance.ts';
import { type InstanceCrawl, recordInstanceCrawl } from './instance-crawls.sql.ts';
import { type InstancePoll, isAnyProvisioning, type PollChanges, recordPoll } from './instances.sql.ts';
import { withoutPrivateFields } from './private-fields.ts';

export interface InstancePoller {
  sql: Sql;
  account: Pick<InstanceCalls, 'listInstances'>;
  /** @default every call is made once */
  askAgain?: AskAgain | undefined;
  marketId: number;
  log: Log;
  now: () => Date;
}

export interface PollOptions {
  /** A version 7 UUID, for the crawl if this poll leaves one. */
  crawlId: string;
  cause: CrawlCause;
  tickAt?: Date | null | undefined;
  jobId?: string | null | undefined;
  signal?: AbortSignal | undefined;
}

/** `nextPollSeconds`: 10 while something is being provisioned, else 60. */
export type PollOutcome = { nextPollSeconds: number } & (
  | {
      kind: 'polled';
      instances: number;
      /** New, changed or returned. */
      changes: number;
      gone: number;
      /** Instances in the list that it does not identify: then none is considered gone. */
      unidentified: number;
    }
  /** A newer poll was stored meanwhile. */
  | { kind: 'superseded' }
  | { kind: 'failed'; reason: string; error: unknown }
);

const eagerSeconds = 10;
const calmSeconds = 60;
const maxGpuCount = 32_767;

/**
 * Lists the account's instances and stores changes in one transaction. Never throws for the market or the database; a
 * failed list changes nothing, and one that does not identify all instances marks none as gone.
 */
export async function pollInstances(poller: InstancePoller, options: PollOptions): Promise<PollOutcome> {
  const { sql, marketId, log, now, account, askAgain = (call) => call() } = poller;
  const { crawlId, signal } = options;
  const polledAt = now();
  const crawlOf = (end: Pick<InstanceCrawl, 'outcome' | 'reason'>): InstanceCrawl => ({
    id: crawlId,
    marketId,
    cause: options.cause,
    tickAt: options.tickAt ?? null,
    jobId: options.jobId ?? null,
    startedAt: polledAt,
    endedAt: now(),
    ...end,
  });
  try {
    const list = await askAgain(() => account.listInstances({ signal }), signal);
    const poll = toPoll(list, marketId, polledAt);
    const changes = await recordPoll(sql, poll, { now, crawlOf: (found) => crawlOf(judge(poll, found)) });
    const nextPollSeconds = await nextPoll(poller);
    if (changes === null) return { kind: 'superseded', nextPollSeconds };
    logPoll(log, crawlId, poll, changes);
    const { unidentified, instances } = poll;
    const counts = { changes: changes.changed.length, gone: changes.gone.length, unidentified };
    return { kind: 'polled', instances: instances.length, ...counts, nextPollSeconds };
  } catch (error) {
    const { reason, explained } = failureReason(error);
    const nextPollSeconds = await nextPoll(poller, error);
    // An aborted poll says nothing about the market.
    if (options.signal?.aborted !== true) {
      log.error(
        { crawlId, ...(explained ? {} : { err: error }) },
        `instances could not be polled: ${reason}`,
      );
      await recordInstanceCrawl(sql, crawlOf({ outcome: 'failed', reason })).catch(() => {});
    }
    return { kind: 'failed', reason, error, nextPollSeconds };
  }
}

function toPoll(list: InstanceList, marketId: number, polledAt: Date): InstancePoll {
  const byId = new Map(list.instances.map((instance) => [instance.instanceId, toStore(instance)]));
  const unidentified = Math.max(list.rejected.length, (list.found ?? 0) - byId.size);
  return { marketId, polledAt, instances: [...byId.values()], unidentified };
}

function toStore(instance: Instance): Instance {
  const { numGpus } = instance;
  return {
    ...instance,
    // One absurd number must not make the whole poll fail.
    numGpus: numGpus !== null && numGpus <= maxGpuCount ? numGpus : null,
    raw: withoutPrivateFields(instance.raw),
  };
}

function judge(
  { unidentified, instances }: InstancePoll,
  { changed, gone }: PollChanges,
): Pick<InstanceCrawl, 'outcome' | 'reason'> {
  if (unidentified > 0) {
    const reason = `${unidentified} of ${unidentified + instances.length} instances could not be identified: none counts as gone`;
    return { outcome: 'partial', reason };
  }
  return { outcome: changed.length + gone.length > 0 ? 'complete' : 'unchanged', reason: null };
}

function logPoll(log: Log, crawlId: string, poll: InstancePoll, { changed, gone }: PollChanges): void {
  const { unidentified, instances } = poll;
  const fields = { crawlId, instances: instances.length };
  if (changed.length + gone.length > 0) log.info({ ...fields, changed, gone }, 'instances changed');
  else log.debug(fields, 'instances polled');
  if (unidentified > 0) log.warn({ ...fields, unidentified }, 'some instances could not be identified');
}

async function nextPoll({ sql, marketId, now }: InstancePoller, error?: unknown): Promise<number> {
  // If the market throttles or refuses the key, polling more often does not help.
  if (error instanceof MarketError && (error.kind === 'rate_limited' || error.kind === 'auth')) {
    return calmSeconds;
  }
  const provisioning = await isAnyProvisioning(sql, marketId, now()).catch(() => false);
  return provisioning ? eagerSeconds : calmSeconds;
}
