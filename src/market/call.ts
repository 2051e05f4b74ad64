/** What every call takes beside its own arguments. */
export interface CallOptions {
  /**
   * Ends the call, which rejects with its reason. An acting call that is ended so may have happened: its
   * outcome is unknown.
   */
  signal?: AbortSignal | undefined;
}

/** Asked of its sender before a request goes out; what is thrown keeps it back, and is what the call rejects with. */
export interface SendGate {
  /** Once it is this request's turn, however long that took. */
  onTurn?: (() => Promise<void>) | undefined;
  /** Just before the first byte. */
  onSending?: (() => void) | undefined;
}
