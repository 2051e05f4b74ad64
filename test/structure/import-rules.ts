import { posix } from 'node:path';
import type { SourceFile } from './source-files.ts';

// What each folder may import beside itself.
const subjects = ['books', 'prices', 'rentals', 'spend', 'watches'];
const below = ['core', 'database', 'exports', 'market', 'simulator', 'jobs'];
const mayImport: Record<string, readonly string[]> = {
  core: ['service', 'database', 'prices'],
  database: ['core', 'exports'],
  exports: ['core', 'database', 'spend'],
  market: ['core'],
  simulator: ['core'],
  jobs: ['core', 'database'],
  books: [...below, ...subjects, 'service'],
  prices: [...below, ...subjects, 'service'],
  rentals: [...below, ...subjects, 'service'],
  spend: [...below, ...subjects, 'service'],
  watches: [...below, ...subjects, 'service'],
  service: [...below, ...subjects, 'top'],
  top: [...below, ...subjects, 'service'],
  web: [],
};

/** The only file of the simulator that others may know. */
const simulatorEntry = 'src/simulator/simulator.ts';
const importPattern =
  /(?:^|[;}\n])\s*(?:import|export)\s+(type\s)?(?:[\w*{][^'";]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*['"`]([^'"`]+)['"`]/g;

/** Every import that the rules forbid, one sentence each. */
export function findForbiddenImports(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const from = unitOf(file.path);
    if (mayImport[from] === undefined)
      return [`${file.path} lies in a folder that the import rules do not know`];
    return importsOf(file)
      .filter(({ target }) => target !== null)
      .flatMap(({ target, typeOnly }) => judge(file.path, from, target ?? '', typeOnly));
  });
}

function judge(path: string, from: string, target: string, typeOnly: boolean): string[] {
  const to = unitOf(target);
  if (to === 'package.json') return from === 'top' || from === 'service' ? [] : [`${path} imports ${target}`];
  if (from === 'web' && target.endsWith('.routes.ts') && typeOnly) return [];
  if (from === to) return [];
  const known = mayImport[from]?.includes(to) === true;
  if (!known) return [`${path} (${from}) must not import ${target} (${to})`];
  const intoSimulator = to === 'simulator' && target !== simulatorEntry;
  return intoSimulator ? [`${path} must not import the inside of the simulator (${target})`] : [];
}

/** `src/books/markets.sql.ts`: books; `src/main.ts`: top; `web/…`: web; anything else: its first folder or its name. */
function unitOf(path: string): string {
  const [first = '', second = '', third] = path.split('/');
  if (first !== 'src') return first;
  return third === undefined ? 'top' : second;
}

interface Import {
  /** Path from the checkout; null: a package. */
  target: string | null;
  typeOnly: boolean;
}

function importsOf({ path, text }: SourceFile): Import[] {
  return [...text.matchAll(importPattern)].map(([, type, specifier, dynamic]) => {
    const name = specifier ?? dynamic ?? '';
    const target = name.startsWith('.') ? posix.join(posix.dirname(path), name) : null;
    return { target, typeOnly: type !== undefined };
  });
}

/** How many imports of the project's own files the rules saw: 0 would mean that the reading is broken. */
export function countOwnImports(files: readonly SourceFile[]): number {
  return files.flatMap(importsOf).filter(({ target }) => target !== null).length;
}
