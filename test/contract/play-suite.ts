import type { Mutant } from '../simulator/mutants/mutant.ts';
import { playServerCase, type Stage, type Verdict } from './play-server-case.ts';
import { openSimulatorStage } from './simulator-stage.ts';
import type { WireCase } from './wire-file.ts';

/** The result of one case. */
export interface Result {
  wireCase: WireCase;
  verdict: Verdict;
}

/**
 * Plays cases, each on its own simulator so that none can affect another, with or without a mutant. Yields results as
 * they come, so that a caller that only wants the first failure can stop.
 */
export async function* playOnSimulators(
  cases: readonly WireCase[],
  mutant: Mutant | null = null,
): AsyncGenerator<Result, void, undefined> {
  for (const wireCase of cases) {
    const stage = await openSimulatorStage(wireCase.header.stage ?? 'usual', mutant);
    const verdict = await playServerCase(wireCase, stage).finally(stage.close);
    yield { wireCase, verdict };
  }
}

/** Plays cases on one stage, one after the other. Cases that need a specially prepared market are left out. */
export async function* playOnStage(
  cases: readonly WireCase[],
  stage: Stage,
): AsyncGenerator<Result, void, undefined> {
  for (const wireCase of cases.filter(({ header }) => header.stage === undefined)) {
    yield { wireCase, verdict: await playServerCase(wireCase, stage) };
  }
}
