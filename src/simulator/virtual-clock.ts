/** The market's own time. */
export interface VirtualClock {
  now(): Date;
  /** Puts the clock forward by so many virtual seconds. */
  advance(seconds: number): void;
}

/**
 * A clock that shows `startAt` now and goes on at `speed` virtual seconds a second.
 * `now` is the real clock.
 */
export function createVirtualClock(options: { now: () => Date; startAt: Date; speed: number }): VirtualClock {
  const createdMs = options.now().getTime();
  let aheadMs = options.startAt.getTime();
  return {
    now: () => new Date(aheadMs + (options.now().getTime() - createdMs) * options.speed),
    advance(seconds) {
      aheadMs += seconds * 1000;
    },
  };
}
