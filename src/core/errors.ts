/** A problem that its message explains to a person completely: shown in one line, without a stack. */
export class UserError extends Error {
  override name = 'UserError';
}

/** A command that was asked for in a way that it cannot be: exit code 2. */
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
  /** The thing that the call names does not exist, by an error code of the market. */
  | 'not_found'
  /** The offer cannot be rented any more: status 410 or `no_such_ask`. */
  | 'offer-gone';

/**
 * What is known of a failed call's effect. `not-sent`: no byte went out. `refused`: a complete answer says no.
 * `unknown`: bytes went out and no clear answer came back, so that it may have happened.
 */
export type CallOutcome = 'not-sent' | 'refused' | 'unknown';

/** A request to the marketplace that failed for good. The message never holds a key. */
export class MarketError extends Error {
  override name = 'MarketError';
  readonly kind: MarketErrorKind;
  /** Method and path, `POST /api/v0/bundles/`. */
  readonly endpoint: string;
  /** null when no response arrived. */
  readonly httpStatus: number | null;
  /** Whether it may have happened all the same; decides what may follow an acting call. */
  readonly outcome: CallOutcome;
  /** The market's own error code, `no_such_ask`; null where the answer has none. */
  readonly code: string | null;

  constructor(
    message: string,
    details: {
      kind: MarketErrorKind;
      endpoint: string;
      httpStatus?: number | null;
      /** @default 'unknown' */
      outcome?: CallOutcome;
      code?: string | null;
      cause?: unknown;
    },
  ) {
    super(message, { cause: details.cause });
    this.kind = details.kind;
    this.endpoint = details.endpoint;
    this.httpStatus = details.httpStatus ?? null;
    this.outcome = details.outcome ?? 'unknown';
    this.code = details.code ?? null;
  }
}
