import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The most memory that a process held while it ran, MB, from the system's own count. Call once it has ended. */
export type PeakMemory = () => number;

const everyMs = 20;

/** Watches a process from now on. Linux alone counts so. */
export function watchMemory(child: ChildProcess): PeakMemory {
  let peakKb = 0;
  // The count never falls: the last look before the end is as good as all of them.
  const look = setInterval(() => {
    try {
      peakKb = Number(
        /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? peakKb,
      );
    } catch {
      clearInterval(look);
    }
  }, everyMs);
  child.once('close', () => clearInterval(look));
  return () => peakKb / 1_024;
}
