import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommandProcess } from './command-process.ts';
import type { DamagedFile } from './damage.ts';
import type { Random } from './pick.ts';

const maxMs = 5_000;
/** Measured: 100 to 250 MB. */
const maxMemoryMb = 512;
const killAfterMs = 60_000;
/** A busy machine may be slow once, but not repeatedly with the same file. */
const triesToBeQuick = 3;

/** Results of the attempts. */
export interface Tally {
  counts: Record<string, number>;
  failures: string[];
}

export interface Try {
  /** Distinguishes failures from normal messages. */
  name: string;
  file: DamagedFile;
  folder: string;
  command: 'restore' | 'import';
  env: Record<string, string>;
  random: Random;
}

const stopWithinMs = 1_500;

/**
 * Gives a damaged file to a command and judges the result from outside; returns whether the command accepted the file.
 */
export async function tryFile(
  { name, file, folder, command, env, random }: Try,
  { counts, failures }: Tally,
): Promise<'taken' | 'refused' | 'stopped'> {
  const path = join(folder, `${name.replaceAll(' ', '-')}.gz`);
  if (file.content === null) await mkdir(path);
  else await writeFile(path, file.content);
  const stopAfterMs = file.isStopped ? Math.floor(random() * stopWithinMs) : undefined;
  const run = () => runCommandProcess([command, path], { env, stopAfterMs, killAfterMs });
  const first = await run();
  let { ms } = first;
  for (let again = 1; ms > maxMs && first.code === 1 && !first.isHung && again < triesToBeQuick; again += 1) {
    ms = Math.min(ms, (await run()).ms);
  }
  await rm(path, { recursive: true, force: true });
  const fail = (what: string): void => {
    failures.push(`${name}, ${file.kind}: ${what}: ${(first.stderr + first.stdout).slice(0, 300)}`);
  };
  // Before the program listens for it, a signal ends the process as usual.
  const isStopped = file.isStopped === true && (first.code === null || /^Stopped/.test(first.stderr));
  if (first.isHung) fail(`hung for ${killAfterMs / 1_000} s`);
  else if (ms > maxMs) fail(`took ${Math.round(ms)} ms`);
  if (first.memoryMb !== null && first.memoryMb > maxMemoryMb) fail(`took ${first.memoryMb} MB`);
  if (!isStopped && first.code !== 0) {
    if (first.code === null || first.code > 4) fail(`ended with ${first.code}`);
    if (first.stderr.trim().length < 20) fail('ended without a word');
    if (/unexpected|^\s+at /m.test(first.stderr)) fail('ended with what only a programmer understands');
  }
  const most = (count: string, value: number): void => {
    counts[count] = Math.max(counts[count] ?? 0, value);
  };
  most(`slowest ${command}, ms`, Math.round(ms));
  if (first.memoryMb !== null) most(`most memory of a ${command}, MB`, first.memoryMb);
  const end = isStopped ? 'stopped' : first.code === 0 ? 'taken' : 'refused';
  const count = `${command}s ${end}`;
  counts[count] = (counts[count] ?? 0) + 1;
  return end;
}
