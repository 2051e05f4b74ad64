/** Gives what `read` gives, read once for each key until the version changes. */
export type KeptPast = <T>(key: string, version: string, read: () => Promise<T>) => Promise<T>;

/** A megabyte each, of a year of 10-minute books. */
const maxKept = 24;

/** Keeps what was read of the past for the requests that asked last; those that ask meanwhile wait for the same reading. */
export function createKeptPast(): KeptPast {
  const kept = new Map<string, { version: string; answer: Promise<unknown> }>();
  return async <T>(key: string, version: string, read: () => Promise<T>): Promise<T> => {
    const known = kept.get(key);
    const entry = known?.version === version ? known : { version, answer: read() };
    kept.delete(key);
    kept.set(key, entry);
    for (const oldest of kept.keys()) {
      if (kept.size <= maxKept) break;
      kept.delete(oldest);
    }
    entry.answer.catch(() => {
      if (kept.get(key) === entry) kept.delete(key);
    });
    return (await entry.answer) as T;
  };
}
