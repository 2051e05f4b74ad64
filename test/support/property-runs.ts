import fc from 'fast-check';

const shrinkingMs = 15_000;

/**
 * Checks that a property holds for `numRuns` drawn values. The seed is fixed, so that a suite repeats itself;
 * PROPERTY_SEED and PROPERTY_RUNS ask for others. A failure prints its seed and the smallest value found in
 * 15 s of looking for smaller ones.
 */
export async function holdsFor<T>(
  values: fc.Arbitrary<T>,
  numRuns: number,
  check: (value: T) => Promise<void>,
): Promise<void> {
  let failedAt: number | null = null;
  const property = fc.asyncProperty(values, async (value) => {
    // Taken for a success, which ends the search; interrupting it would leave a check running in the background.
    if (failedAt !== null && performance.now() - failedAt > shrinkingMs) return;
    try {
      await check(value);
    } catch (error) {
      failedAt ??= performance.now();
      throw error;
    }
  });
  await fc.assert(property, {
    numRuns: Number(process.env.PROPERTY_RUNS ?? numRuns),
    seed: Number(process.env.PROPERTY_SEED ?? 20260720),
  });
}
