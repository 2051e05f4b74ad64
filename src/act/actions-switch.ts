import { UserError } from '../domain/errors.ts';

/** An action that a guard forbids; nothing was sent. The message says what would allow it. */
export class GuardRefusal extends UserError {
  override name = 'GuardRefusal';
  /** The guard's short name, stable for programs: `actions`. */
  readonly guard: string;
  /** null: the guard is no limit. */
  readonly limit: string | null;
  /** What met the limit; null: unknown, or the guard is no limit. */
  readonly value: string | null;

  constructor(
    guard: string,
    message: string,
    { limit = null, value = null }: { limit?: string | null; value?: string | null } = {},
  ) {
    super(`guard refused: ${message}`);
    this.guard = guard;
    this.limit = limit;
    this.value = value;
  }
}

/** The settings that the switch follows. */
export interface ActionSettings {
  /** null: the simulator. */
  market: object | null;
  /** ACTIONS; null: unset. */
  actions: boolean | null;
}

/** Whether the account may be changed: ACTIONS, and unset only with the simulator. Source: design.md section 2. */
export const areActionsOn = ({ market, actions }: ActionSettings): boolean => actions ?? market === null;

/** Throws a GuardRefusal where actions are off. */
export function requireActions(isOn: boolean): void {
  if (isOn) return;
  throw new GuardRefusal(
    'actions',
    'actions are off, and the account of a live market stays as it is. Set ACTIONS=on to allow them.',
  );
}
