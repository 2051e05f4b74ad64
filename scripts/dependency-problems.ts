/** What package.json says that is used here. */
export interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
}

/** A package in package-lock.json. */
export interface LockedPackage {
  license?: string;
  /** Only for development. */
  dev?: boolean;
  devOptional?: boolean;
  /** A folder of the checkout. */
  link?: boolean;
  dependencies?: Record<string, string>;
}

/** Licenses under which a package may be part of the program: they ask for a notice, not for the program's source. */
export const allowedLicenses: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // Asks for the source of its own files only, which are not changed here.
  'MPL-2.0',
  'PostgreSQL',
  'Unlicense',
]);

/** Returns the places in the lock file of what the program installs, and of what its page consists of. */
export function shippedPackages(
  packages: Readonly<Record<string, LockedPackage>>,
  importedByPage: Iterable<string>,
): string[] {
  const shipped = Object.entries(packages)
    .filter(([place, { dev, devOptional, link }]) => place !== '' && !dev && !devOptional && !link)
    .map(([place]) => place);
  const inPage = [...importedByPage].map((name) => `node_modules/${name}`).filter((place) => packages[place]);
  for (const place of inPage) {
    for (const name of Object.keys(packages[place]?.dependencies ?? {})) {
      const used = `node_modules/${name}`;
      if (packages[used] !== undefined && !inPage.includes(used)) inPage.push(used);
    }
  }
  return [...new Set([...shipped, ...inPage])];
}

/** Returns a sentence for each of these packages whose license is not allowed. */
export function licenseProblems(
  packages: Readonly<Record<string, LockedPackage>>,
  places: readonly string[],
): string[] {
  return places
    .map((place) => ({ place, license: packages[place]?.license ?? 'no license' }))
    .filter(({ license }) => !isAllowed(license))
    .map(
      ({ place, license }) =>
        `${place.replace(/^.*node_modules\//, '')} has ${license}, which is not allowed.`,
    );
}

/** Whether one license of each group that must all be kept is allowed: `(MIT OR CC0-1.0)`. */
const isAllowed = (expression: string): boolean =>
  expression
    .replaceAll(/[()]/g, '')
    .split(' AND ')
    .every((all) => all.split(' OR ').some((one) => allowedLicenses.has(one.trim())));

/** Returns a sentence for each direct dependency without a row in the document, and for each row without one. */
export function reasonProblems(manifest: Manifest, document: string): string[] {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  const used = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const rows = [...document.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(([, name = '', reason = '']) => ({
    name,
    reason,
  }));
  const explained = new Set(rows.filter(({ reason }) => reason.trim() !== '').map(({ name }) => name));
  return [
    ...used
      .filter((name) => !explained.has(name))
      .map((name) => `${name} is in package.json without a reason in docs/dependencies.md.`),
    ...rows
      .filter(({ name }) => !used.includes(name))
      .map(({ name }) => `${name} is in docs/dependencies.md, but not in package.json.`),
  ];
}
