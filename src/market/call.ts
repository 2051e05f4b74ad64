/** Options of every call. */
export interface CallOptions {
  /**
   * Aborts the call, which rejects with its reason. An aborted call that changes something may have taken effect: its
   * outcome is unknown.
   */
  signal?: AbortSignal | undefined;
}

/** Called before a request is sent; what it throws stops the request and rejects the call. */
export interface SendGate {
  /** Called when it is this request's turn, however long that took. */
  onTurn?: (() => Promise<void>) | undefined;
  /** Called just before the first byte. */
  onSending?: (() => void) | undefined;
}
