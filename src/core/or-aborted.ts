/**
 * Returns the result of `work`, or rejects with the signal's reason once it aborts; `work` then continues unobserved.
 */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (signal.aborted) onAbort();
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
