import { setTimeout as delay } from 'node:timers/promises';
import { cutText } from '../../core/cut-text.ts';
import type { Log } from '../../core/log.ts';
import type { Sql } from '../../database/connection.ts';
import { publishEvent } from '../../rentals/events.sql.ts';
import { findChannel, type StoredChannel, switchChannel } from './channels.sql.ts';
import { type AttemptEnd, beginAttempt, type DueDelivery, endAttempt } from './deliveries.sql.ts';
import type { ChannelTools } from './kinds/adapter.ts';
import { channelRegistry } from './kinds/registry.ts';
import { openChannel } from './kinds/sealed-config.ts';
import type { SecretBox } from './secret-box.ts';
import type { SendEnd } from './send-end.ts';

export interface Outbox {
  sql: Sql;
  secrets: SecretBox;
  tools: ChannelTools;
  log: Pick<Log, 'warn'>;
  now: () => Date;
}

/** How long a delivery is retried. */
export const triesForMs = 24 * 3_600_000;
const firstPauseMs = 5_000;
const maxPauseMs = 3_600_000;

/** Returns the pause after an attempt: 5 seconds, doubled each time up to an hour. */
export const pauseMs = (attempts: number): number =>
  Math.min(firstPauseMs * 2 ** Math.min(attempts - 1, 20), maxPauseMs);

/** Whether a process's settings suffice to send to a channel: its mail server and its key of secrets. */
export const canSend = (
  { secrets, tools }: Pick<Outbox, 'secrets' | 'tools'>,
  channel: StoredChannel,
): boolean =>
  (channelRegistry[channel.kind].missing?.(tools) ?? null) === null && openChannel(secrets, channel) !== null;

/**
 * Sends the due deliveries of a channel in order, until the next one is not due, none is left, or the signal aborts. No
 * other process may send for the channel meanwhile. Each result is stored before the next attempt: after a kill, the
 * unfinished delivery is sent again under the same id.
 */
export async function sendDue(outbox: Outbox, channelId: string, signal: AbortSignal): Promise<number> {
  const { sql, now, log } = outbox;
  let sent = 0;
  while (!signal.aborted) {
    const due = await beginAttempt(sql, channelId, now());
    if (due === null) return sent;
    const result = await attempt(outbox, channelId, due);
    if (result.kind === 'refused' && result.isGone) await switchChannel(sql, channelId, result.reason);
    const end = judgeEnd(result, due, now());
    // A sent delivery must be recorded as sent, even if the database is away for a moment.
    if (!(await saveEnd(outbox, channelId, due, end, signal))) return sent;
    sent += 1;
    if (end.state === 'sent') continue;
    log.warn(
      { deliveryId: due.id, channelId, problem: end.problem },
      end.state === 'failed' ? 'a delivery failed' : `a delivery is ${end.state}`,
    );
    if (end.state === 'queued') return sent;
  }
  return sent;
}

async function attempt(
  { sql, secrets, tools }: Outbox,
  channelId: string,
  due: DueDelivery,
): Promise<SendEnd> {
  const channel = await findChannel(sql, channelId);
  if (channel === null) return { kind: 'refused', reason: 'the channel is gone' };
  if (channel.offReason !== null) return { kind: 'refused', reason: `it is off: ${channel.offReason}` };
  const adapter = channelRegistry[channel.kind];
  const opened = openChannel(secrets, channel);
  if (opened === null) {
    return { kind: 'refused', reason: 'the secret was encrypted with another SECRETS_KEY: enter it again' };
  }
  if (opened.secret === null && adapter.secret?.required === true) {
    return { kind: 'refused', reason: 'the channel has no secret: enter it' };
  }
  try {
    return await adapter.send({ id: due.id, notice: due.notice, isReplay: due.isReplay, ...opened }, tools);
  } catch (error) {
    return { kind: 'again', reason: `it could not be rendered or sent (${(error as Error).name})` };
  }
}

function judgeEnd(end: SendEnd, due: DueDelivery, now: Date): AttemptEnd {
  if (end.kind === 'sent') return { state: 'sent' };
  const problem = cutText(end.reason, 500);
  if (end.kind === 'refused') return { state: 'refused', problem };
  const nextAttemptAt = new Date(now.getTime() + Math.max(pauseMs(due.attempts), end.afterMs ?? 0));
  const isTooLate = nextAttemptAt.getTime() - due.firstAttemptAt.getTime() > triesForMs;
  return isTooLate ? { state: 'failed', problem } : { state: 'queued', problem, nextAttemptAt };
}

/** Stores the result of an attempt and reports it in an event, so that pages show it. */
async function saveEnd(
  { sql, now }: Outbox,
  channelId: string,
  due: DueDelivery,
  end: AttemptEnd,
  signal: AbortSignal,
): Promise<boolean> {
  for (;;) {
    try {
      return await sql.begin(async (tx) => {
        const at = now();
        if (!(await endAttempt(tx, due, end, at))) return false;
        const data = { deliveryId: due.id, channelId, state: end.state };
        await publishEvent(tx, { at, marketId: null, kind: 'delivery', data });
        return true;
      });
    } catch (error) {
      if (signal.aborted) throw error;
      await delay(500);
    }
  }
}
