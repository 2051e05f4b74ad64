/** An error whose message tells a person everything: shown as one line, without a stack. */
export class UserError extends Error {
  override name = 'UserError';
}

/** A book that is not stored, because none of its rows could be read. */
export class UnreadableBookError extends UserError {
  override name = 'UnreadableBookError';
}

/** A command that was used wrongly: exit code 2. */
export class UsageError extends UserError {
  override name = 'UsageError';
}

export type MarketErrorKind =
  | 'network'
  | 'timeout'
  | 'http'
  | 'rate_limited'
  | 'auth'
  | 'parse'
  | 'contract'
  | 'too_large'
  /** The object named in the call does not exist, according to the market's error code. */
  | 'not_found'
  /** The offer is no longer rentable: status 410 or `no_such_ask`. */
  | 'offer-gone';

/**
 * What is known about the effect of a failed call. `not-sent`: no byte was sent. `refused`: the call was refused in a
 * complete response. `unknown`: bytes were sent but no clear response arrived, so the call may have taken effect.
 */
export type CallOutcome = 'not-sent' | 'refused' | 'unknown';

/** A request to the marketplace that failed for good, after any retries. The message never contains a key. */
export class MarketError extends Error {
  override name = 'MarketError';
  readonly kind: MarketErrorKind;
  /** Method and path, `POST /api/v0/bundles/`. */
  readonly endpoint: string;
  /** null when no response arrived. */
  readonly httpStatus: number | null;
  /** Whether the call may have taken effect anyway; it decides what may follow a failed change. */
  readonly outcome: CallOutcome;
  /** The market's own error code, `no_such_ask`; null if the response has none. */
  readonly code: string | null;
  /** The market's own message, cut to one short line; null: none. */
  readonly said: string | null;

  constructor(
    message: string,
    details: {
      kind: MarketErrorKind;
      endpoint: string;
      httpStatus?: number | null;
      /** @default 'unknown' */
      outcome?: CallOutcome;
      code?: string | null;
      said?: string | null;
      cause?: unknown;
    },
  ) {
    super(message, { cause: details.cause });
    this.kind = details.kind;
    this.endpoint = details.endpoint;
    this.httpStatus = details.httpStatus ?? null;
    this.outcome = details.outcome ?? 'unknown';
    this.code = details.code ?? null;
    this.said = details.said ?? null;
  }
}
