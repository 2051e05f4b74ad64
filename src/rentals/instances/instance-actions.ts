import type { AuditRow } from '../audit.sql.ts';
import { plainLabel } from '../rental.ts';

/** An action on an instance: who did what, and what became of it. */
export interface InstanceAction {
  at: Date;
  /** The name of the token, or of the limit that its owner set. */
  by: string;
  action: string;
  /** `accepted`; null: nothing is known of its outcome; else what was answered. */
  outcome: string | null;
  /** What was requested or seen, by name; empty: nothing more. */
  detail: Record<string, unknown>;
}

/** Returns the actions that entries of the audit log are about: a request and what became of it are one. */
export function actionsOf(rows: readonly AuditRow[]): InstanceAction[] {
  const actions: InstanceAction[] = [];
  for (const { at, actor, action, phase, detail: text } of rows) {
    const { outcome, reason, request: _, ...detail } = JSON.parse(text) as Record<string, unknown>;
    if (typeof detail.label === 'string') detail.label = plainLabel(detail.label);
    const open = actions.findLast((each) => each.action === action && each.outcome === null);
    if (phase === 'after' && open !== undefined) {
      open.outcome = String(outcome ?? 'accepted');
    } else {
      const became = phase === 'before' ? null : String(reason ?? outcome ?? 'accepted');
      actions.push({ at, by: actor, action, outcome: became, detail });
    }
  }
  return actions;
}
