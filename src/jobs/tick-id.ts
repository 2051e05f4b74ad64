import { createHash } from 'node:crypto';

/** Returns the job id of one tick of a series, as a UUID: every process that fires the tick creates the same job. */
export function tickId(key: string, tickAt: Date): string {
  const hash = createHash('sha256').update(`${key}|${tickAt.toISOString()}`).digest('hex');
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const parts = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    variant + hash.slice(17, 20),
    hash.slice(20, 32),
  ];
  return parts.join('-');
}
