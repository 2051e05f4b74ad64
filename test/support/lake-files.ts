import { createHash } from 'node:crypto';
import { readdir, readFile, utimes } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type Manifest, readManifest } from '../../src/exports/lake/manifest.ts';

/** The files of a lake in a folder, by path. */
export async function filesIn(root: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(files.map(async (path) => [relative(root, path), await readFile(path)] as const)),
  );
}

/** Makes all files of a folder as if they had been written at a moment. */
export async function backdateFiles(root: string, at: Date): Promise<void> {
  for (const path of (await filesIn(root)).keys()) await utimes(join(root, path), at, at);
}

export interface SeenLake {
  /** null: there is none. */
  manifest: Manifest | null;
  /** Files of the manifest that are missing or differ from it. */
  broken: string[];
  /** Files that it does not name. */
  beside: string[];
}

/** Compares the files of a lake with its manifest. */
export function seeLake(files: ReadonlyMap<string, Buffer>): SeenLake {
  const text = files.get('manifest.json')?.toString();
  const manifest = text === undefined ? null : readManifest(text, 'the lake');
  const named = manifest?.files ?? [];
  const isWhole = ({ path, bytes, sha256 }: Manifest['files'][number]): boolean => {
    const file = files.get(path);
    return file?.length === bytes && createHash('sha256').update(file).digest('hex') === sha256;
  };
  const known = new Set(['manifest.json', ...named.map(({ path }) => path)]);
  return {
    manifest,
    broken: named.filter((file) => !isWhole(file)).map(({ path }) => path),
    beside: [...files.keys()].filter((path) => !known.has(path)),
  };
}
