import { MarketError, UserError } from '../core/errors.ts';
import type { Actor } from './actor.ts';
import { auditName } from './agent.ts';
import { writeAudit } from './audit.sql.ts';

/**
 * Runs `act` with an entry in the audit log before and after. An error is rethrown; if the change may have happened
 * anyway the log says so, because no list is checked for it.
 */
export async function audited<T>(
  acting: Actor,
  { by, action, instanceId, detail }: { by: string; action: string; instanceId?: number; detail: object },
  act: () => Promise<T>,
): Promise<T> {
  const { sql, market, now } = acting;
  const entry = { market: market.name, actor: auditName(acting, by), action, instanceId };
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
  const { kind, endpoint, httpStatus, outcome, code, said } = error;
  const end = /[.?!]$/.test(error.message) ? '' : '.';
  const message = `${error.message}${end} The change may have happened anyway: check before you try again.`;
  return new MarketError(message, { kind, endpoint, httpStatus, outcome, code, said, cause: error });
}
