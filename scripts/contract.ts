import { parseArgs } from 'node:util';
import { clientCases, isWriting, serverCases } from '../test/contract/contract-cases.ts';
import { findGaps } from '../test/contract/coverage-gaps.ts';
import { openMarketStage } from '../test/contract/market-stage.ts';
import { findUnbroken, isBreakable, mutantOfRow } from '../test/contract/mutants-of-rows.ts';
import { findCaseOfRow, huntMutant } from '../test/contract/mutation-run.ts';
import { playClientCase } from '../test/contract/play-client-case.ts';
import type { Verdict } from '../test/contract/play-server-case.ts';
import { playOnSimulators, playOnStage } from '../test/contract/play-suite.ts';
import { specificationRows } from '../test/contract/specification-rows.ts';
import type { WireCase } from '../test/contract/wire-file.ts';
import { mutantOf, mutants } from '../test/simulator/mutants/mutants.ts';

const usage = `npm run contract                      the interface against the simulator and the market client
npm run contract -- --mutants         every mutant of the simulator must be seen by a case, and the mutant
                                      that a row names by a case of that row
npm run contract -- --url http://127.0.0.1:8090 --api-key KEY --read-only
                                      any market; without --read-only it rents and destroys (loopback only)
  --only TEXT      cases, with --mutants mutants, whose id holds the text
  --interval N     seconds between two requests to --url   (default 0 on loopback, else 6.5)
  --speed N        seconds of the market's time a second    (default 1)
`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Counts verdicts and prints those that did not pass; `print` returns how many failed. */
function createTally(): { add: (id: string, verdict: Verdict) => void; print: (what: string) => number } {
  const counts = { passed: 0, failed: 0, untold: 0 };
  return {
    add(id, verdict) {
      counts[verdict.kind] += 1;
      if (verdict.kind !== 'passed') say(`${verdict.kind.toUpperCase()} ${id}\n       ${verdict.reason}`);
    },
    print(what) {
      const { passed, failed, untold } = counts;
      const rest = untold === 0 ? '' : `, ${untold} untold: nothing on this market to judge by`;
      say(`${what}: ${passed + failed + untold} cases, ${passed} passed, ${failed} failed${rest}`);
      return failed;
    },
  };
}

async function checkBothSides(only: string): Promise<number> {
  const [server, client] = [createTally(), createTally()];
  const cases = { server: serverCases(), client: clientCases() };
  const gaps = findGaps(specificationRows, cases);
  for (const gap of gaps) say(`GAP    ${gap}`);
  const chosen = cases.server.filter(({ id }) => id.includes(only));
  for await (const { wireCase, verdict } of playOnSimulators(chosen)) server.add(wireCase.id, verdict);
  for (const wireCase of cases.client.filter(({ id }) => id.includes(only))) {
    client.add(wireCase.id, await playClientCase(wireCase));
  }
  say(`rows: ${specificationRows.length}, ${gaps.length} gaps`);
  return gaps.length + server.print('simulator') + client.print('client');
}

async function checkMarket(
  options: { url: string; apiKey: string; readOnly: boolean; interval: number | null; speed: number },
  only: string,
): Promise<number> {
  const { url, apiKey, readOnly, speed } = options;
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);
  if (!readOnly && !isLocal) {
    throw new Error(
      'without --read-only the suite rents machines: only a market on loopback may be asked to',
    );
  }
  const intervalSeconds = options.interval ?? (isLocal ? 0 : 6.5);
  const stage = openMarketStage({ baseUrl: url, apiKey, speed, intervalSeconds, timeoutMs: 60_000 });
  const all = serverCases();
  const cases = all.filter((wireCase) => (!readOnly || !isWriting(wireCase)) && wireCase.id.includes(only));
  const tally = createTally();
  const rows = new Set<string>();
  for await (const { wireCase, verdict } of playOnStage(cases, stage)) {
    tally.add(wireCase.id, verdict);
    for (const row of wireCase.rows) rows.add(row);
  }
  say(`rows: ${specificationRows.length}, ${rows.size} of them tried on this market`);
  return tally.print(url);
}

async function checkMutants(only: string): Promise<number> {
  const cases = serverCases();
  const chosen = mutants.filter(({ id }) => id.includes(only));
  const rows = new Set<string>();
  let survivors = 0;
  for (const [index, mutant] of chosen.entries()) {
    const result = await huntMutant(mutant, cases);
    for (const row of result.rows) rows.add(row);
    if (result.killedBy === null) {
      survivors += 1;
      say(`SURVIVED ${mutant.id} (section ${mutant.section}): ${mutant.breaks}`);
    }
    if (process.stderr.isTTY) process.stderr.write(`\r${index + 1} of ${chosen.length} `);
  }
  say(`rows: ${specificationRows.length}, ${rows.size} of them by cases that killed a mutant first`);
  say(`cases: ${cases.length}`);
  say(`mutants: ${chosen.length}, ${chosen.length - survivors} killed, ${survivors} survived`);
  return survivors + (await checkMutantsOfRows(new Set(chosen.map(({ id }) => id)), cases));
}

/** Prints how many rows have a case that detects their mutant; returns how many have none. */
async function checkMutantsOfRows(chosen: ReadonlySet<string>, cases: readonly WireCase[]): Promise<number> {
  const gaps = findUnbroken(specificationRows, new Set(mutants.map(({ id }) => id)));
  for (const gap of gaps) say(`GAP    ${gap}`);
  const breakable = specificationRows.filter(isBreakable);
  const named = breakable.flatMap(({ id: row }) => {
    const mutant = mutantOfRow(row);
    return mutant !== null && chosen.has(mutant) ? [{ row, mutant }] : [];
  });
  let unseen = 0;
  for (const { row, mutant } of named) {
    if ((await findCaseOfRow(row, mutantOf(mutant), cases)) !== null) continue;
    unseen += 1;
    say(`UNSEEN ${mutant} by every case of ${row}`);
  }
  const seen = named.length - unseen;
  say(`rows with a mutant: ${named.length} of ${breakable.length}, ${seen} see theirs, ${unseen} do not`);
  return gaps.length + unseen;
}

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      'api-key': { type: 'string' },
      'read-only': { type: 'boolean', default: false },
      mutants: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      interval: { type: 'string' },
      speed: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  const { url, 'api-key': apiKey, 'read-only': readOnly, only } = values;
  if (values.help) {
    say(usage);
    return 0;
  }
  if (values.mutants) return await checkMutants(only);
  if (url === undefined) return await checkBothSides(only);
  if (apiKey === undefined) throw new Error('--url needs --api-key');
  const interval = values.interval === undefined ? null : Number(values.interval);
  return await checkMarket({ url, apiKey, readOnly, interval, speed: Number(values.speed) }, only);
}

try {
  process.exitCode = (await run()) === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n${usage}`);
  process.exitCode = 2;
}
