import { writeAudit } from '../db/acting/audit.ts';
import { MarketError, UserError } from '../domain/errors.ts';
import type { Actor } from './actor.ts';

/** What `act` returns, done with an entry in the audit log before and after; what it throws is thrown on. */
export async function noted<T>(
  { sql, market, now }: Actor,
  { by, action, instanceId, detail }: { by: string; action: string; instanceId?: number; detail: object },
  act: () => Promise<T>,
): Promise<T> {
  const entry = { market: market.name, actor: by, action, instanceId };
  await writeAudit(sql, { ...entry, at: now(), phase: 'before', detail });
  const noteAfter = async (outcome: string): Promise<void> =>
    await writeAudit(sql, { ...entry, at: now(), phase: 'after', detail: { ...detail, outcome } });
  let made: T;
  try {
    made = await act();
  } catch (error) {
    await noteAfter(outcomeOf(error));
    throw error;
  }
  await noteAfter('accepted');
  return made;
}

function outcomeOf(error: unknown): string {
  if (error instanceof MarketError) return error.message;
  return error instanceof UserError ? 'not sent' : 'unclear';
}
