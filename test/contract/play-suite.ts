import type { Mutant } from '../simulator/mutants/mutant.ts';
import { playServerCase, type Stage, type Verdict } from './play-server-case.ts';
import { openSimulatorStage } from './simulator-stage.ts';
import type { WireCase } from './wire-file.ts';

/** One case as it went. */
export interface Result {
  wireCase: WireCase;
  verdict: Verdict;
}

/**
 * Plays cases, each on a simulator of its own so that none can help or hurt another, broken by a mutant or
 * sound; the results as they come, so that who wants only the first failure can stop.
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

/** Plays cases on one stage, one after the other. Those that need a market set up for them are left out. */
export async function* playOnStage(
  cases: readonly WireCase[],
  stage: Stage,
): AsyncGenerator<Result, void, undefined> {
  for (const wireCase of cases.filter(({ header }) => header.stage === undefined)) {
    yield { wireCase, verdict: await playServerCase(wireCase, stage) };
  }
}
