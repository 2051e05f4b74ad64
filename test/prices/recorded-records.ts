import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** A line of a recorded market book, as far as the tests recompute from it. */
export interface RecordedLine {
  id: number;
  machine_id: number;
  gpu_name: string;
  num_gpus: number;
  dph_total: number;
  dph_base: number;
  storage_cost: number;
  inet_up_cost: number;
  inet_down_cost: number;
  geolocation: string | null;
  verification: string;
  static_ip: boolean;
  hosting_type: number;
  rental_type: string;
  scraped_at: string;
}

/** All lines of the files. */
export const readLines = (files: readonly string[]): RecordedLine[] =>
  files.flatMap((file) =>
    gunzipSync(readFileSync(file))
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as RecordedLine),
  );

/** `percentile_cont`: linear interpolation between the two values around the place. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}
