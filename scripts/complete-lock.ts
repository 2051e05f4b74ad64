import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface LockedPackage {
  version?: string;
  cpu?: string[];
  dev?: boolean;
  libc?: string[];
  optional?: boolean;
  os?: string[];
  optionalDependencies?: Record<string, string>;
}

const file = join(import.meta.dirname, '../package-lock.json');
const systems = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
  'aix',
];
const processors: [RegExp, string][] = [
  [/x64/, 'x64'],
  [/arm64/, 'arm64'],
  [/arm(v7|-)/, 'arm'],
  [/ia32/, 'ia32'],
  [/ppc64/, 'ppc64'],
  [/riscv64/, 'riscv64'],
  [/s390x/, 's390x'],
  [/wasm32/, 'wasm32'],
];

/**
 * Returns the entry of another platform's package, derived from its name; without an integrity hash, because the
 * registry in use does not have the package.
 */
function platformEntry(name: string, version: string, dev: boolean): LockedPackage {
  const short = name.split('/').at(-1) ?? name;
  const cpu = processors.find(([pattern]) => pattern.test(short))?.[1];
  const os = systems.find((system) => short.includes(system));
  const libc = short.includes('musl') ? 'musl' : short.includes('gnu') ? 'glibc' : undefined;
  return {
    version,
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(dev ? { dev } : {}),
    ...(os === 'linux' && libc !== undefined ? { libc: [libc] } : {}),
    optional: true,
    ...(os === undefined ? {} : { os: [os] }),
  };
}

/** Whether Node, from the package at `place`, resolves `name` in the lock file. */
function isLocked(packages: Record<string, LockedPackage>, place: string, name: string): boolean {
  const above = place
    .split('/node_modules/')
    .map((_, index, parts) => parts.slice(0, index + 1).join('/node_modules/'));
  return [`node_modules/${name}`, ...above.map((each) => `${each}/node_modules/${name}`)].some(
    (path) => path in packages,
  );
}

// npm leaves out what the registry in use lacks, and `npm ci` then refuses the file (npm/cli issue 9846).
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockedPackage> };
const added: Record<string, LockedPackage> = {};
for (const [place, { dev, optionalDependencies = {} }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (isLocked(lock.packages, place, name) || !/^\d/.test(version)) continue;
    added[`node_modules/${name}`] = platformEntry(name, version, dev === true);
  }
}
const sorted = Object.entries({ ...lock.packages, ...added }).sort(([a], [b]) => (a < b ? -1 : 1));
lock.packages = Object.fromEntries(sorted);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${Object.keys(added).length} packages of other platforms added to the lock file.\n`);
