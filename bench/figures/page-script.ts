import { readdir, readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Measurement } from '../figure.ts';

const staticImport = /(?:\bfrom|\bimport)\s*"\.\/([^"]+\.js)"/g;

/**
 * Measures the most script that any view of the built page in `assets` loads: the entry, and the view's own files if it
 * is loaded when it is first shown. KB, gzipped.
 */
export async function measureScript(assets: string): Promise<Measurement> {
  const names = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  const files = new Map<string, { bytes: number; imports: string[] }>();
  for (const name of names) {
    const text = await readFile(`${assets}/${name}`, 'utf8');
    const imports = [...text.matchAll(staticImport)].map(([, imported = '']) => imported);
    files.set(name, { bytes: gzipSync(text).length, imports });
  }
  const entry = names.filter((name) => name.startsWith('index-'));
  const loaded = names.map((name) => {
    const needed = new Set<string>();
    const need = (each: string): void => {
      if (needed.has(each)) return;
      needed.add(each);
      for (const imported of files.get(each)?.imports ?? []) need(imported);
    };
    for (const each of [...entry, name]) need(each);
    return { name, bytes: [...needed].reduce((sum, each) => sum + (files.get(each)?.bytes ?? 0), 0) };
  });
  const [most] = loaded.toSorted((a, b) => b.bytes - a.bytes);
  const value = most === undefined || entry.length !== 1 ? Number.NaN : most.bytes / 1024;
  return {
    ...{ name: 'page-script', value, unit: 'KB', yardstick: null },
    details: [`the most is loaded with ${most?.name}`],
    sizes: [{ what: 'scripts', count: names.length, atLeast: 1 }],
  };
}
