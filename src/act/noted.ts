import { writeAudit } from '../db/acting/audit.ts';
import { MarketError } from '../domain/errors.ts';
import type { Actor } from './actor.ts';

/** What `act` returns, done with an entry in the audit log before and after; what it throws is thrown on. */
export async function noted<T>(
  { sql, market, now }: Actor,
  { by, action, detail }: { by: string; action: string; detail: object },
  act: () => Promise<T>,
): Promise<T> {
  const entry = { market: market.name, actor: by, action };
  await writeAudit(sql, { ...entry, at: now(), phase: 'before', detail });
  try {
    const made = await act();
    await writeAudit(sql, {
      ...entry,
      at: now(),
      phase: 'after',
      detail: { ...detail, outcome: 'accepted' },
    });
    return made;
  } catch (error) {
    const outcome = error instanceof MarketError ? error.message : 'not sent';
    await writeAudit(sql, { ...entry, at: now(), phase: 'after', detail: { ...detail, outcome } });
    throw error;
  }
}
