import type { Sql } from '../../database/connection.ts';
import { addDeliveries } from '../channels/deliveries.sql.ts';
import type { Notice } from '../channels/notice.ts';
import { takeHeldAlerts } from './kept-alerts.sql.ts';

const maxNotified = 50;

/** Writes alerts that waited until now into the outbox: a single alert as it is, several of a rule as one digest. */
export async function releaseHeldAlerts(sql: Sql, now: Date): Promise<number> {
  return await sql.begin(async (tx) => {
    const held = await takeHeldAlerts(tx, now);
    const entries = held.map(({ notices, channelIds, ruleId, watchId }) => ({
      channelIds,
      notice: digestOf(notices, { ruleId, watchId, at: now.toISOString() }),
    }));
    await addDeliveries(tx, entries, now);
    return held.length;
  });
}

function digestOf(
  notices: readonly Notice[],
  { ruleId, watchId, at }: { ruleId: string; watchId: string | null; at: string },
): Notice {
  const [first] = notices;
  if (notices.length === 1 && first !== undefined) return first;
  const name = first?.title.split(': ')[0] ?? 'Offerbook';
  const told = notices
    .slice(0, maxNotified)
    .map((notice) => `${notice.at.slice(0, 16).replace('T', ' ')} UTC: ${notice.title}`);
  const more = notices.length - told.length;
  return {
    kind: 'digest',
    title: `${name}: ${notices.length} alerts`,
    at,
    ruleId,
    watchId,
    lines: more > 0 ? [...told, `and ${more} more`] : told,
    link: first?.link ?? null,
    data: { alerts: notices.map((notice) => notice.data) },
  };
}
