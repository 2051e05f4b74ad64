import { readFileSync } from 'node:fs';

/** Returns the peak memory of a process, MB; null if the system does not show it or the process has ended. */
export function peakMemoryMb(pid: number | undefined): number | null {
  if (process.platform !== 'linux') return null;
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1_024);
  } catch {
    return null;
  }
}
