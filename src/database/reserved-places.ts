import { PoolBusyError } from './server-full.ts';

/**
 * What a connection is reserved for. The holder of one level may only reserve later levels: a lock, within it a
 * snapshot or a create, within it a transaction.
 */
export type ReserveLevel = 'lock' | 'snapshot' | 'transaction';

const levels: readonly ReserveLevel[] = ['lock', 'snapshot', 'transaction'];
const patienceMs = 10_000;

interface Waiting {
  level: ReserveLevel;
  enter: () => void;
}

/** The right to hold reserved connections, of which a process has a limited number. */
export interface Places {
  /** Waits for a place; returns a function that leaves it. Throws a PoolBusyError after 10 seconds. */
  take: (level: ReserveLevel) => Promise<() => void>;
  load: () => { busy: number; waiting: number };
}

/**
 * At most `max` places. Each later level keeps one that earlier levels cannot take, so that waiting for a later level
 * never ends in a deadlock.
 */
export function createPlaces(max: number): Places {
  const held = new Map<ReserveLevel, number>(levels.map((level) => [level, 0]));
  let waiting: Waiting[] = [];
  const isFree = (level: ReserveLevel): boolean => {
    const own = levels.indexOf(level);
    // The number of places that a level and the earlier ones may hold together, leaving one for each later level.
    return levels.every((_, at) => {
      if (at < own) return true;
      const taken = levels.slice(0, at + 1).reduce((sum, one) => sum + (held.get(one) ?? 0), 0);
      return taken < Math.max(1, max - (levels.length - 1 - at));
    });
  };
  const enter = (level: ReserveLevel): (() => void) => {
    held.set(level, (held.get(level) ?? 0) + 1);
    return () => {
      held.set(level, (held.get(level) ?? 0) - 1);
      const next = waiting.find((one) => isFree(one.level));
      if (next === undefined) return;
      waiting = waiting.filter((one) => one !== next);
      next.enter();
    };
  };
  return {
    load: () => ({ busy: [...held.values()].reduce((sum, one) => sum + one, 0), waiting: waiting.length }),
    take: async (level) => {
      if (isFree(level)) return enter(level);
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      const one: Waiting = {
        level,
        enter: () => {
          clearTimeout(timer);
          resolve(enter(level));
        },
      };
      const timer = setTimeout(() => {
        waiting = waiting.filter((other) => other !== one);
        reject(new PoolBusyError());
      }, patienceMs);
      waiting.push(one);
      return await promise;
    },
  };
}
