import { readFileSync } from 'node:fs';

/** The most memory that a process has held so far, MB; null where the system does not say or the process is gone. */
export function peakMemoryMb(pid: number | undefined): number | null {
  if (process.platform !== 'linux') return null;
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1_024);
  } catch {
    return null;
  }
}
