// Everything about the minutes in which a rule that fired does not fire again, for the same listing or best offer.

export const defaultCooldownMinutes = 0;
/** A year. */
export const maxCooldownMinutes = 525_600;

/** Whether a firing at `firedAt` still prevents another one at `at`, both in ms. */
export const cools = (cooldownMinutes: number, firedAt: number, at: number): boolean =>
  at - firedAt < cooldownMinutes * 60_000;
