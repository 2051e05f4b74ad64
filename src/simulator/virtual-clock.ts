/** The market's own time. */
export interface VirtualClock {
  now(): Date;
  /** Advances the clock by virtual seconds; negative: puts it back. */
  advance(seconds: number): void;
}

/**
 * Creates a clock that shows `startAt` now and advances by `speed` virtual seconds per second. `now` is the real clock.
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
