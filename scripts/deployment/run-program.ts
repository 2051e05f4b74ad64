import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const isRoot = process.getuid?.() === 0;
/** nobody and nogroup of every Linux: PostgreSQL and PgBouncer refuse to run as root. */
const ordinary = { uid: 65_534, gid: 65_534 };
/** What the running programs are ended with, the last begun first. */
const running: (() => Promise<void>)[] = [];
const patienceMs = 15_000;

/** How a program runs where the check runs as root. @default nobody */
type Owner = 'nobody' | 'own';

/** Makes a folder that is removed at the end, and that nobody may write to. */
export async function makeFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `offerbook-${name}-`));
  await chmod(folder, 0o755);
  if (isRoot) await chown(folder, ordinary.uid, ordinary.gid);
  running.push(async () => await rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Gives a file to the user whom the programs run as. */
export async function giveAway(path: string): Promise<void> {
  if (isRoot) await chown(path, ordinary.uid, ordinary.gid);
}

/** Runs a program to its end; returns what it wrote. Throws with it where the program fails. */
export async function runProgram(
  program: string,
  args: readonly string[],
  owner: Owner = 'nobody',
): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, args, ownedBy(owner));
  return stdout + stderr;
}

/** Starts a program, which is ended by `endPrograms`; waits until `isReady`. */
export async function startProgram(
  program: string,
  args: readonly string[],
  isReady: () => Promise<boolean>,
  { owner = 'nobody', env = {} }: { owner?: Owner; env?: Record<string, string> } = {},
): Promise<{ end: () => Promise<void> }> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...ownedBy(owner),
    env: { ...process.env, ...env },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      said = (said + part.toString()).slice(-4_000);
    });
  const ended = new Promise<void>((resolve, reject) => {
    child.once('close', () => resolve());
    child.once('error', reject);
  });
  const end = async (): Promise<void> => await endProgram(child, ended);
  running.push(end);
  const until = Date.now() + patienceMs;
  while (!(await isReady().catch(() => false))) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`${program} does not run:\n${said}`);
    await Promise.race([delay(50), ended]);
  }
  return { end };
}

async function endProgram(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (child.exitCode === null) child.kill('SIGINT');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(timer);
}

/** Ends all programs and removes all folders. */
export async function endPrograms(): Promise<void> {
  for (const end of running.splice(0).reverse()) await end();
}

const ownedBy = (owner: Owner) => (isRoot && owner === 'nobody' ? ordinary : {});
