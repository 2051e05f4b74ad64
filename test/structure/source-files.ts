import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The checkout. */
export const root = join(import.meta.dirname, '../..');

/** One file of the project; `path` is relative to the checkout, with `/`. */
export interface SourceFile {
  path: string;
  text: string;
}

/** Every file below a folder of the checkout whose name ends so, but what builds and installs leave there. */
export function readFiles(folder: string, endings: readonly string[]): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path))
    .sort()
    .map((path) => ({ path, text: readText(path) }));
}

/** A file of the checkout as text. Throws when it is missing. */
export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** The code without its comments: a docstring may name what the code may not. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
