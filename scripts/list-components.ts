import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Bom {
  metadata: { component: { name: string } };
  components: { 'bom-ref': string; name: string }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const root = join(import.meta.dirname, '..');
const folder = join(root, 'web');

/** Packages of which `build.ts` copies files into the package. */
export const copiedPackages = ['swagger-ui-dist'];

/** Returns the CycloneDX list of what the package installs, of what is built into the page and of what is copied. */
export function listComponents(): Bom {
  const all = npmSbom([]);
  const installed = npmSbom(['--omit=dev']);
  const imported = importsOfPage();
  const inPage = new Set(
    all.components.filter(({ name }) => imported.has(name)).map((component) => component['bom-ref']),
  );
  for (const ref of inPage) {
    for (const used of all.dependencies.find((each) => each.ref === ref)?.dependsOn ?? []) inPage.add(used);
  }
  const others = all.components.filter(({ name }) => copiedPackages.includes(name));
  const refs = new Set([...[...installed.components, ...others].map((each) => each['bom-ref']), ...inPage]);
  // npm takes the name of the folder.
  all.metadata.component.name = 'offerbook';
  return {
    ...all,
    components: all.components.filter((each) => refs.has(each['bom-ref'])),
    dependencies: all.dependencies
      .filter(({ ref }) => refs.has(ref) || ref.startsWith('offerbook@'))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((used) => refs.has(used)) })),
  };
}

function npmSbom(options: readonly string[]): Bom {
  const args = [
    'sbom',
    '--sbom-format=cyclonedx',
    '--sbom-type=application',
    '--package-lock-only',
    ...options,
  ];
  return JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 })) as Bom;
}

/** Returns the names of the packages that the page's code imports. */
export function importsOfPage(): Set<string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !path.startsWith('dist') && path !== 'vite.config.ts',
  );
  const texts = files.map((path) => readFileSync(join(folder, path), 'utf8'));
  const names = texts.flatMap((text) => [...text.matchAll(/from '((?:@[\w-]+\/)?[\w][\w.-]*)/g)]);
  return new Set(['preact', ...names.map(([, name = '']) => name)]);
}
