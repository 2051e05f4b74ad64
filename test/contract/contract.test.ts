import { describe, expect, it } from 'vitest';
import type { Mutant } from '../simulator/mutants/mutant.ts';
import { mutants } from '../simulator/mutants/mutants.ts';
import { clientCases, serverCases } from './contract-cases.ts';
import { huntMutant } from './mutation-run.ts';
import { playClientCase } from './play-client-case.ts';
import { playOnSimulators } from './play-suite.ts';
import type { WireCase } from './wire-file.ts';

const byFile = (cases: readonly WireCase[]): [string, WireCase[]][] => [
  ...Map.groupBy(cases, ({ file }) => file),
];

describe('the simulator, called with requests written from the specification', () => {
  it.each(byFile(serverCases()))('%s', async (_file, cases) => {
    for await (const { wireCase, verdict } of playOnSimulators(cases)) {
      expect(verdict, wireCase.id).toEqual({ kind: 'passed' });
    }
  });
});

describe('the market client, answered with responses written from the specification', () => {
  it.each(byFile(clientCases()))('%s', async (_file, cases) => {
    for (const wireCase of cases) {
      expect(await playClientCase(wireCase), wireCase.id).toEqual({ kind: 'passed' });
    }
  });
});

/** A sample of the mutants of every section, drawn with the seed; `npm run contract -- --mutants` plays all. */
function someMutants(seed: number, share: number): Mutant[] {
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const bySection = Map.groupBy(mutants, ({ section }) => section);
  return [...bySection.values()].flatMap((group) => {
    const ranked = group.map((mutant) => ({ mutant, rank: random() })).sort((a, b) => a.rank - b.rank);
    return ranked.slice(0, Math.ceil(group.length * share)).map(({ mutant }) => mutant);
  });
}

describe('a simulator that breaks one promise is detected by a case', () => {
  const cases = serverCases();
  it.each(someMutants(3, 0.08).map((mutant) => [mutant.id, mutant] as const))('%s', async (_id, mutant) => {
    expect((await huntMutant(mutant, cases)).killedBy).not.toBeNull();
  });
});
