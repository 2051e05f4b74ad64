import { z } from 'zod';
import { UserError } from '../../core/errors.ts';

/** Where the manifest is, from the lake's root. */
export const manifestPath = 'manifest.json';

/**
 * Version of layout, tables and columns. Raise it, and describe it in docs/lake.md, whenever a column is renamed,
 * removed or gets another type or meaning.
 */
export const lakeFormat = 1;

const fileShape = z.object({
  table: z.string(),
  market: z.string(),
  day: z.iso.date(),
  /** From the lake's root. */
  path: z.string(),
  rows: z.number(),
  bytes: z.number(),
  sha256: z.string(),
});
const dayShape = z.object({
  market: z.string(),
  day: z.iso.date(),
  /** false: the day was not over when it was written. */
  final: z.boolean(),
  /** What each table of the day was made from. */
  sources: z.record(z.string(), z.string()),
});
const manifestShape = z.object({
  format: z.number(),
  version: z.string(),
  /** The moment of the database that the newest files were written from. */
  asOf: z.string(),
  tables: z.record(z.string(), z.object({ columns: z.record(z.string(), z.string()) })),
  markets: z.record(z.string(), z.object({ createdAt: z.string() })),
  days: z.array(dayShape),
  files: z.array(fileShape),
});

export type LakeFile = z.infer<typeof fileShape>;
export type LakeDay = z.infer<typeof dayShape>;
/** What the lake holds: every file, and every day with what it was made from. */
export type Manifest = z.infer<typeof manifestShape>;

/** Parses a manifest. Throws a UserError for one that cannot be read, or that a newer version wrote. */
export function readManifest(text: string, place: string): Manifest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = null;
  }
  const format = z.object({ format: z.number() }).safeParse(json);
  if (format.success && format.data.format !== lakeFormat) {
    throw new UserError(
      `${place} has format ${format.data.format}, and this version writes format ${lakeFormat}: choose another place.`,
    );
  }
  const read = manifestShape.safeParse(json);
  if (read.success) return read.data;
  throw new UserError(`${place}/${manifestPath} cannot be read: restore it, or choose another place.`);
}

/** Returns a manifest as JSON text, a line per day and per file. */
export function writeManifest({ days, files, ...head }: Manifest): string {
  const lines = (items: readonly object[]): string => items.map((item) => JSON.stringify(item)).join(',\n');
  return `${JSON.stringify(head).slice(0, -1)},\n"days":[\n${lines(days)}\n],\n"files":[\n${lines(files)}\n]}\n`;
}

const named = (market: string): string => encodeURIComponent(market);

/** Returns where a file belongs: Hive partitions by market and day, and a name by its content. */
export const filePath = (table: string, market: string, day: string, sha256: string): string =>
  `${table}/market=${named(market)}/day=${day}/part-${sha256.slice(0, 16)}.parquet`;

/** Returns the folder of a market in a table. */
export const marketFolder = (table: string, market: string): string => `${table}/market=${named(market)}/`;

/** Whether a path is that of a file that the lake writes, whole or not. */
export const isLakePath = (path: string): boolean =>
  /^[a-z_]+\/market=[^/]+\/day=\d{4}-\d{2}-\d{2}\/\.?part-[0-9a-f]{16}\.parquet(\.tmp)?$/.test(path);
