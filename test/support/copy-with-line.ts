import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '../..');

/** A copy of the program's source, whose modules can be loaded beside the real ones. */
export interface SourceCopy {
  load: <Module>(path: string) => Promise<Module>;
  remove: () => void;
}

/** Copies the source with one more line in a file, after a line that it has once. */
export function copyWithLine(path: string, after: string, line: string): SourceCopy {
  const text = readFileSync(join(root, path), 'utf8');
  if (text.split(after).length !== 2) throw new Error(`${path} has not once: ${after}`);
  const copy = mkdtempSync(join(tmpdir(), 'offerbook-one-line-'));
  for (const folder of ['src', 'client']) cpSync(join(root, folder), join(copy, folder), { recursive: true });
  cpSync(join(root, 'package.json'), join(copy, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(join(copy, path), text.replace(after, `${after}${line}\n`));
  return {
    load: async (module) => await import(/* @vite-ignore */ pathToFileURL(join(copy, module)).href),
    remove: () => rmSync(copy, { recursive: true }),
  };
}
