import { UserError } from '../core/errors.ts';
import type { Db } from '../database/connection.ts';
import { readActionSwitch } from './action-switch.sql.ts';
import { byWords } from './state-words.ts';

/** An action that a guard refuses; nothing was sent. The message says what would allow it. */
export class GuardRefusal extends UserError {
  override name = 'GuardRefusal';
  /** The guard's short, stable name: `actions`. */
  readonly guard: string;
  /** null: the guard has no limit. */
  readonly limit: string | null;
  /** The value that met the limit; null: unknown, or the guard has no limit. */
  readonly value: string | null;
  /** Why it refuses, as a sentence. */
  readonly reason: string;

  constructor(
    guard: string,
    reason: string,
    { limit = null, value = null }: { limit?: string | null; value?: string | null } = {},
  ) {
    super(`guard refused: ${reason}`);
    this.reason = reason;
    this.guard = guard;
    this.limit = limit;
    this.value = value;
  }
}

/** The settings that control the switch. */
export interface ActionSettings {
  /** null: the simulator. */
  market: object | null;
  /** ACTIONS; null: unset. */
  actions: boolean | null;
}

/**
 * Whether the account may be changed: by ACTIONS, or if unset only with the simulator.
 * Source: docs/settings.md#service.
 */
export const areActionsOn = ({ market, actions }: ActionSettings): boolean => actions ?? market === null;

/** Throws a GuardRefusal if actions are off. */
export function requireActions(isOn: boolean): void {
  if (isOn) return;
  throw new GuardRefusal(
    'actions',
    'actions are off, and the account of a live market stays as it is. Set ACTIONS=on to allow them.',
  );
}

/** Returns why the kill switch refuses anything that costs; null: it does not. */
export async function switchProblem(db: Db): Promise<string | null> {
  const stands = await readActionSwitch(db);
  if (stands === null || stands.enabled) return null;
  return `new rentals were disabled ${byWords(stands.changedBy)}. To enable them, press “Enable new rentals again” under Instances, or run \`offerbook actions on\`.`;
}

/** Throws a GuardRefusal while the kill switch is on. */
export async function requireSwitch(db: Db): Promise<void> {
  const problem = await switchProblem(db);
  if (problem !== null) throw new GuardRefusal('kill-switch', problem);
}
