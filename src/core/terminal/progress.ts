import { Presets, SingleBar } from 'cli-progress';
import type { CommandContext } from './command-context.ts';

export interface Progress {
  update: (done: number, total: number) => void;
  stop: () => void;
}

/** Returns a progress bar on stderr for long work on a terminal; does nothing elsewhere. */
export function createProgress({ interactive }: CommandContext, unit: string): Progress {
  if (!interactive) return { update: () => {}, stop: () => {} };
  const bar = new SingleBar(
    {
      format: `{bar} {value}/{total} ${unit}`,
      stream: process.stderr,
      clearOnComplete: true,
      hideCursor: true,
    },
    Presets.shades_classic,
  );
  let started = false;
  return {
    update: (done, total) => {
      if (!started) bar.start(total, done);
      else bar.update(done);
      started = true;
    },
    stop: () => {
      if (started) bar.stop();
    },
  };
}
