import { MarketError, UserError } from '../core/errors.ts';
import type { Actor } from './actor.ts';
import { writeAudit } from './audit.sql.ts';

/**
 * What `act` returns, done with an entry in the audit log before and after. What it throws is thrown on; that it may
 * have happened all the same is said, since nothing of this is looked for in lists.
 */
export async function audited<T>(
  { sql, market, now }: Actor,
  { by, action, instanceId, detail }: { by: string; action: string; instanceId?: number; detail: object },
  act: () => Promise<T>,
): Promise<T> {
  const entry = { market: market.name, actor: by, action, instanceId };
  await writeAudit(sql, { ...entry, at: now(), phase: 'before', detail });
  const auditAfter = async (outcome: string): Promise<void> =>
    await writeAudit(sql, { ...entry, at: now(), phase: 'after', detail: { ...detail, outcome } });
  let made: T;
  try {
    made = await act();
  } catch (error) {
    await auditAfter(outcomeOf(error));
    throw withDoubt(error);
  }
  await auditAfter('accepted');
  return made;
}

function outcomeOf(error: unknown): string {
  if (error instanceof MarketError) return error.message;
  return error instanceof UserError ? 'not sent' : 'unclear';
}

function withDoubt(error: unknown): unknown {
  if (!(error instanceof MarketError) || error.outcome !== 'unknown') return error;
  const { kind, endpoint, httpStatus, outcome, code } = error;
  const message = `${error.message} It may have happened all the same: look before you try again.`;
  return new MarketError(message, { kind, endpoint, httpStatus, outcome, code, cause: error });
}
