import { readdirSync, readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { createSimulator } from '../../../src/simulator/simulator.ts';
import type { importUrl } from './import-url.ts';
import type { Mutant } from './mutant.ts';

const folder = join(import.meta.dirname, '../../../src/simulator');

/** What the simulator is made of, by path from its folder. */
const sources: ReadonlyMap<string, string> = new Map(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
);

/** Applies the patches of a mutant. Throws if a patch's text does not occur exactly once. */
export function patchSources({ id, patches }: Mutant): Map<string, string> {
  const patched = new Map<string, string>();
  for (const { file, from, to } of patches) {
    const parts = (patched.get(file) ?? sources.get(file) ?? '').split(from);
    if (parts.length !== 2) {
      throw new Error(`${id}: its text occurs ${parts.length - 1} times in ${file}, not once:\n${from}`);
    }
    patched.set(file, parts.join(to));
  }
  return patched;
}

interface Broken {
  /** The patched files, and all that import them. */
  copied: ReadonlySet<string>;
  patched: ReadonlyMap<string, string>;
}

/** By their mark in the address of a module. Each mutant is loaded once. */
const broken = new Map<string, Broken>();
const loaded = new Map<string, Promise<typeof createSimulator>>();
let isHooked = false;

/** A simulator's maker with one mutant in it: the same modules but for those that the mutant changes. */
export function breakSimulator(mutant: Mutant): Promise<typeof createSimulator> {
  const known = loaded.get(mutant.id);
  if (known !== undefined) return known;
  if (!isHooked) registerHooks({ resolve: resolveBroken, load: loadBroken });
  isHooked = true;
  const mark = `mutant=${encodeURIComponent(mutant.id)}`;
  const patched = patchSources(mutant);
  broken.set(mark, { patched, copied: importersOf([...patched.keys()]) });
  const native = createRequire(import.meta.url)('./import-url.ts') as { importUrl: typeof importUrl };
  const url = `${pathToFileURL(join(folder, 'simulator.ts')).href}?${mark}`;
  const loading = native
    .importUrl(url)
    .then((module) => (module as { createSimulator: typeof createSimulator }).createSimulator);
  loaded.set(mutant.id, loading);
  return loading;
}

const importedBy: ReadonlyMap<string, readonly string[]> = new Map(
  [...sources].map(([file, text]) => [
    file,
    [...text.matchAll(/ from '(\.[^']+)'/g)].map(([, path = '']) => join(file, '..', path)),
  ]),
);

function importersOf(files: readonly string[]): Set<string> {
  const found = new Set(files);
  for (const file of found) {
    for (const [importer, imported] of importedBy) if (imported.includes(file)) found.add(importer);
  }
  return found;
}

const fileOf = (url: string): string => fileURLToPath(url).slice(folder.length + 1);
const markOf = (url: string | undefined): string => url?.split('?')[1] ?? '';

/** What a marked module imports is marked too where it is one that the mutant changes. */
const resolveBroken: Parameters<typeof registerHooks>[0]['resolve'] = (specifier, context, next) => {
  const resolved = next(specifier, context);
  const mark = markOf(context.parentURL);
  const mutant = broken.get(mark);
  if (mutant === undefined || !resolved.url.startsWith('file:')) return resolved;
  return mutant.copied.has(fileOf(resolved.url)) ? { ...resolved, url: `${resolved.url}?${mark}` } : resolved;
};

const loadBroken: Parameters<typeof registerHooks>[0]['load'] = (url, context, next) => {
  const text = broken.get(markOf(url))?.patched.get(fileOf(url.split('?')[0] ?? ''));
  if (text === undefined) return next(url, context);
  return { format: 'module-typescript', source: text, shortCircuit: true };
};
