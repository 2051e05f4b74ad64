import { existsSync, readFileSync } from 'node:fs';
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

/** Whether the program runs from a checkout, not from the published package. */
export const isCheckout = (): boolean => existsSync(programFile('src/cli.ts'));

/** Returns how a reader begins a command here: `npx offerbook` in a checkout, else `offerbook`. */
export const programCommand = (): string => (isCheckout() ? 'npx offerbook' : 'offerbook');

/** Returns where a reader finds a document, given as `docs/settings.md`: in a checkout so, else its full path. */
export const documentAt = (path: string): string => (isCheckout() ? path : programFile(path));

/** Returns the program's version. */
export function programVersion(): string {
  const { version } = JSON.parse(readFileSync(programFile('package.json'), 'utf8')) as { version: string };
  return version;
}
