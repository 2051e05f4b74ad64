import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../core/log.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import { type LookLoop, startLookLoop } from '../jobs/look-loop.ts';
import type { OutageLog } from '../jobs/outage-log.ts';
import { jobPriority } from '../jobs/queues.ts';
import type { JobEnd, WorkerSlot } from '../jobs/worker.ts';
import { createOutlierTests } from '../prices/verdicts/segment-medians.ts';
import { withChannelLock } from '../watches/channels/channel-lock.sql.ts';
import { findChannel } from '../watches/channels/channels.sql.ts';
import { channelsWithDueDeliveries } from '../watches/channels/deliveries.sql.ts';
import { canSend, sendDue } from '../watches/channels/outbox.ts';
import { releaseHeldAlerts } from '../watches/rules/digests.ts';
import { judgeEvents } from '../watches/rules/judge-events.ts';
import type { Runtime } from './runtime.ts';

interface NotifyWorkOptions {
  runtime: Runtime;
  queue: JobQueue;
  outages: OutageLog;
  /** Called when jobs were added. */
  onAdded: () => void;
}

const lookEveryMs = 1_000;
/** How often rules over events are judged. */
const judgeEveryMs = 30_000;
/** Channels that one process sends to at the same time: one that hangs does not block the others. */
const channelsTogether = 6;

/** Turns due deliveries of the outbox into jobs, every second; any number of processes may do so. */
export function startNotifyWork({ runtime, queue, outages, onAdded }: NotifyWorkOptions): LookLoop {
  const { sql, now } = runtime;
  const outlierTests = createOutlierTests(sql);
  let judgedAt = 0;
  const judge = async (): Promise<void> => {
    if (now().getTime() - judgedAt < judgeEveryMs) return;
    judgedAt = now().getTime();
    const { id: marketId, kind } = await runtime.defaultMarket();
    const { publicUrl } = runtime.config;
    if (kind !== 'recorded') await judgeEvents(sql, { marketId, now: now(), publicUrl, outlierTests });
  };
  const look = async (): Promise<void> => {
    await releaseHeldAlerts(sql, now());
    await judge();
    const channelIds = await channelsWithDueDeliveries(sql, now());
    if (channelIds.length === 0) return;
    const jobs = channelIds.map((channelId) => ({
      id: randomUUID(),
      key: channelId,
      data: { channelId },
      priority: jobPriority.scheduled,
    }));
    if ((await queue.add('deliver', jobs)) > 0) onAdded();
  };
  return startLookLoop(look, {
    everyMs: lookEveryMs,
    onError: (error) => outages.failed(error, 'the outbox could not be read'),
  });
}

type SendRuntime = Pick<Runtime, 'sql' | 'now' | 'notify'> & { log: Pick<Log, 'warn'> };

/** The slots that send the outbox: one channel per slot. */
export function deliverSlots(runtime: SendRuntime): WorkerSlot[] {
  const done: JobEnd = { kind: 'done' };
  const handle: WorkerSlot['handle'] = async (jobs, signal) => {
    for (const { key } of jobs) await deliverTo(runtime, key, signal);
    return new Map(jobs.map(({ id }) => [id, done]));
  };
  const slot = { queue: 'deliver' as const, handle, together: 1, minPriority: null };
  return Array.from({ length: channelsTogether }, () => ({ ...slot }));
}

/**
 * Sends due deliveries that no other process sends; for commands that run without a service, and say themselves what was
 * not sent. A channel that their settings do not suffice for waits for the service.
 */
export async function deliverAll(runtime: Omit<SendRuntime, 'log'>, signal: AbortSignal): Promise<void> {
  const { sql, now } = runtime;
  const access = await runtime.notify();
  const channelIds = await channelsWithDueDeliveries(sql, now());
  const channels = await Promise.all(channelIds.map((id) => findChannel(sql, id)));
  const own = channels.filter((channel) => channel !== null).filter((channel) => canSend(access, channel));
  const log = { warn: () => {} };
  await Promise.race([
    Promise.all(own.map(({ id }) => deliverTo({ ...runtime, log }, id, signal))),
    delay(60_000, undefined, { ref: false }),
  ]);
}

async function deliverTo(runtime: SendRuntime, channelId: string, signal: AbortSignal): Promise<void> {
  const { sql, log, now } = runtime;
  const { secrets, tools } = await runtime.notify();
  await withChannelLock(sql, channelId, async () => {
    await sendDue({ sql, secrets, tools, log, now }, channelId, signal);
  });
}
