/** Returns the result of `read`, which is cached by key until the version changes. */
export type KeptPast = <T>(key: string, version: string, read: () => Promise<T>) => Promise<T>;

/** About a megabyte each for a year of 10-minute books. */
const maxKept = 48;

/** Caches what the latest requests read about the past; concurrent requests share one read. */
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
