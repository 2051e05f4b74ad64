import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Returns the full path of a file of the program, given from the folder of its package.json: in the published package
 * code lies elsewhere than in a checkout, other files do not.
 */
export function programFile(path: string): string {
  const manifest = findPackageJSON('..', import.meta.url);
  if (manifest === undefined) throw new Error('the program has no package.json above its code');
  return fileURLToPath(new URL(path, pathToFileURL(manifest)));
}

/** Returns the program's version. */
export function programVersion(): string {
  const { version } = JSON.parse(readFileSync(programFile('package.json'), 'utf8')) as { version: string };
  return version;
}
