import { posix } from 'node:path';
import type { SourceFile } from './source-files.ts';

// What each folder may import beside itself: each subject those before it.
const below = ['core', 'database', 'jobs', 'exports', 'market'];
const mayImport: Record<string, readonly string[]> = {
  core: ['client'],
  database: ['core'],
  exports: ['core'],
  market: ['core'],
  simulator: ['core'],
  jobs: ['core', 'database'],
  books: ['core', 'database', 'jobs', 'market'],
  prices: ['core', 'database', 'exports', 'books'],
  rentals: [...below, 'books', 'prices'],
  spend: [...below, 'books', 'prices', 'rentals'],
  watches: [...below, 'books', 'prices', 'rentals', 'spend'],
  orders: [...below, 'books', 'prices', 'rentals', 'spend', 'watches'],
  service: [
    ...below,
    'client',
    'simulator',
    'books',
    'prices',
    'rentals',
    'spend',
    'watches',
    'orders',
    'top',
  ],
  top: [
    ...below,
    'client',
    'simulator',
    'books',
    'prices',
    'rentals',
    'spend',
    'watches',
    'orders',
    'service',
  ],
  web: ['client'],
};

/** The only files of the simulator that others may know: one a kind of marketplace. */
const simulatorEntries = ['src/simulator/simulator.ts', 'src/simulator/clore/clore-simulator.ts'];
const importPattern =
  /(?:^|[;}\n])\s*(?:import|export)\s+(?:type\s)?(?:[\w*{][^'";]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*['"`]([^'"`]+)['"`]/g;

/** Every import that the rules forbid, one sentence each. */
export function findForbiddenImports(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const from = unitOf(file.path);
    if (mayImport[from] === undefined)
      return [`${file.path} lies in a folder that the import rules do not know`];
    return importsOf(file)
      .filter(({ target }) => target !== null)
      .flatMap(({ target }) => judge(file.path, from, target ?? ''));
  });
}

function judge(path: string, from: string, target: string): string[] {
  const to = unitOf(target);
  if (to === 'package.json') return from === 'top' || from === 'service' ? [] : [`${path} imports ${target}`];
  if (from === to)
    return inOneMarket(path, target) ? [] : [`${path} must not know the inside of a marketplace (${target})`];
  const known = mayImport[from]?.includes(to) === true;
  if (!known) return [`${path} (${from}) must not import ${target} (${to})`];
  if (!inOneMarket(path, target)) return [`${path} must not know the inside of a marketplace (${target})`];
  const intoSimulator = to === 'simulator' && !simulatorEntries.includes(target);
  return intoSimulator ? [`${path} must not import the inside of the simulator (${target})`] : [];
}

/** What every marketplace may use of the folder, beside the files that lie in it. */
const sharedByMarkets = 'src/market/wire/';

/** Whether an import stays outside of marketplaces, or inside its own; the registry knows each. */
function inOneMarket(path: string, target: string): boolean {
  const [market] = /^src\/market\/[^/]+\//.exec(target) ?? [];
  if (market === undefined || market === sharedByMarkets) return true;
  return path.startsWith(market) || path === 'src/market/registry.ts';
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
}

function importsOf({ path, text }: SourceFile): Import[] {
  return [...text.matchAll(importPattern)].map(([, specifier, dynamic]) => {
    const name = specifier ?? dynamic ?? '';
    return { target: name.startsWith('.') ? posix.join(posix.dirname(path), name) : null };
  });
}

/** Files that import each other in a circle, types alone too: one list a circle. */
export function findCircles(files: readonly SourceFile[]): string[][] {
  const targets = new Map(
    files.map((file) => [file.path, importsOf(file).map(({ target }) => target ?? '')]),
  );
  // Tarjan's strongly connected components.
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (path: string): void => {
    const place = order.size;
    order.set(path, place);
    lowest.set(path, place);
    open.push(path);
    for (const target of targets.get(path) ?? []) {
      if (!targets.has(target)) continue;
      if (!order.has(target)) visit(target);
      if (open.includes(target))
        lowest.set(path, Math.min(lowest.get(path) ?? place, lowest.get(target) ?? place));
    }
    if (lowest.get(path) !== place) return;
    const circle = open.splice(open.indexOf(path));
    if (circle.length > 1 || targets.get(path)?.includes(path)) circles.push(circle.sort());
  };
  for (const path of targets.keys()) if (!order.has(path)) visit(path);
  return circles;
}

/** How many imports of the project's own files the rules saw: 0 would mean that the reading is broken. */
export function countOwnImports(files: readonly SourceFile[]): number {
  return files.flatMap(importsOf).filter(({ target }) => target !== null).length;
}
