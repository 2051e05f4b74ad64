/** The market's own time. */
export interface VirtualClock {
  now(): Date;
}

/**
 * A clock that shows `startAt` now and goes on at `speed` virtual seconds a second.
 * `now` is the real clock.
 */
export function createVirtualClock(options: { now: () => Date; startAt: Date; speed: number }): VirtualClock {
  const createdMs = options.now().getTime();
  return {
    now: () => new Date(options.startAt.getTime() + (options.now().getTime() - createdMs) * options.speed),
  };
}
