import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** A part of the installation that is killed and started again. */
export interface Killable {
  name: string;
  start: () => Promise<void>;
  /** Ends it at once, and resolves when nothing of it is left. */
  kill: () => Promise<void>;
}

/** A program that is ready when `isReady` holds; `isGone` says whether nothing of it is left after its end. */
export function createKillable(
  name: string,
  {
    command,
    options,
    isReady,
    isGone = async () => true,
  }: {
    command: readonly [program: string, ...args: string[]];
    options: SpawnOptions;
    isReady: () => Promise<boolean>;
    isGone?: () => Promise<boolean>;
  },
): Killable {
  let child: ChildProcess | null = null;
  return {
    name,
    start: async () => {
      const [program, ...args] = command;
      const started = spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
      let said = '';
      started.stderr?.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-2_000);
      });
      child = started;
      await eventually(`${name} answers`, 60, async () => {
        if (started.exitCode !== null) throw new Error(`${name} ended: ${said}`);
        return await isReady();
      });
    },
    kill: async () => {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await eventually(`nothing of ${name} is left`, 60, isGone);
    },
  };
}

/** Waits until `holds`; throws after `seconds`. */
export async function eventually(
  what: string,
  seconds: number,
  holds: () => Promise<boolean>,
): Promise<void> {
  const endsAt = performance.now() + seconds * 1_000;
  while (!(await holds())) {
    if (performance.now() > endsAt) throw new Error(`not within ${seconds} s: ${what}`);
    await delay(100);
  }
}
