import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';

const length = 13;

/** A clock that stands still between steps and is the same in every process: a file with milliseconds. */
export interface FileClock {
  now: () => Date;
  set: (at: Date) => void;
}

/** Opens the clock in a file; `startAt` creates it. */
export function openFileClock(path: string, startAt: Date | null = null): FileClock {
  const set = (at: Date): void =>
    writeFileSync(path, String(at.getTime()).padStart(length, '0'), { flag: 'r+' });
  if (startAt !== null) {
    closeSync(openSync(path, 'w'));
    set(startAt);
  }
  const file = openSync(path, 'r');
  const buffer = Buffer.alloc(length);
  return {
    now: () => {
      readSync(file, buffer, 0, length, 0);
      return new Date(Number(buffer.toString('latin1')));
    },
    set,
  };
}
