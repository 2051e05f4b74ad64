/**
 * How a property is run: a fixed seed, so that a suite repeats itself; PROPERTY_SEED and PROPERTY_RUNS ask for
 * others. fast-check prints seed and path of a failure; it stops shrinking before the test's own time is over.
 */
export const propertyRuns = (
  numRuns: number,
): { numRuns: number; seed: number; interruptAfterTimeLimit: number } => ({
  numRuns: Number(process.env.PROPERTY_RUNS ?? numRuns),
  seed: Number(process.env.PROPERTY_SEED ?? 20260720),
  interruptAfterTimeLimit: 45_000,
});
