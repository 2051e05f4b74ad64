/** A problem that its message explains to a person completely: shown in one line, without a stack. */
export class UserError extends Error {
  override name = 'UserError';
}

export type MarketErrorKind =
  | 'network'
  | 'timeout'
  | 'http'
  | 'rate_limited'
  | 'auth'
  | 'parse'
  | 'contract'
  | 'too_large';

/** A request to the marketplace that failed for good. The message never holds a key. */
export class MarketError extends Error {
  override name = 'MarketError';
  readonly kind: MarketErrorKind;
  /** Method and path, `POST /api/v0/bundles/`. */
  readonly endpoint: string;
  /** null when no response arrived. */
  readonly httpStatus: number | null;

  constructor(
    message: string,
    details: { kind: MarketErrorKind; endpoint: string; httpStatus?: number | null; cause?: unknown },
  ) {
    super(message, { cause: details.cause });
    this.kind = details.kind;
    this.endpoint = details.endpoint;
    this.httpStatus = details.httpStatus ?? null;
  }
}
