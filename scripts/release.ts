// npm run release [-- --dry-run] [--without-tests]: checks that the commit is what its version says, then makes package,
// image, components, notes and checksums in build/release and tags the commit; --dry-run does everything but the tag.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listComponents } from './list-components.ts';
import { releaseNotes, releaseProblems } from './release-problems.ts';

const root = join(import.meta.dirname, '..');
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const output = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, { cwd: root, encoding: 'utf8', maxBuffer: 1e9 }).trim();
const versionIn = (path: string): string => (JSON.parse(read(path)) as { version: string }).version;

const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    // For a commit on which CI has just passed.
    'without-tests': { type: 'boolean', default: false },
  },
});
const version = versionIn('package.json');

/** Runs a step in this terminal; ends the release if it fails. */
function step(program: string, ...args: string[]): void {
  print(`\n=== ${program} ${args.join(' ')}`);
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) endWith([`${program} ${args.join(' ')} failed.`]);
}

function endWith(problems: readonly string[]): never {
  process.stderr.write(`No release of ${version}:\n${problems.join('\n')}\n`);
  process.exit(1);
}

/** Builds and saves the image with the engine at hand. */
function makeImage(folder: string): void {
  const engine = ['docker', 'podman'].find(
    (name) => spawnSync(name, ['info'], { stdio: 'ignore' }).status === 0,
  );
  if (engine === undefined) {
    print('\nNo image: neither docker nor podman runs here.');
    return;
  }
  const image = `offerbook:${version}`;
  step(engine, 'build', '--tag', image, '.');
  step(engine, 'save', '--output', join(folder, `offerbook-${version}-image.tar`), image);
}

const problems = releaseProblems({
  branch: output('git', ['rev-parse', '--abbrev-ref', 'HEAD']),
  changes: output('git', ['status', '--porcelain']),
  tags: output('git', ['tag', '--list']).split('\n'),
  version,
  repeated: {
    'package-lock.json': versionIn('package-lock.json'),
    'docs/openapi.json': (JSON.parse(read('docs/openapi.json')) as { info: { version: string } }).info
      .version,
  },
  changelog: read('CHANGELOG.md'),
});
if (problems.length > 0) endWith(problems);

for (const script of ['check', 'duplicates', 'db:check']) step('npm', 'run', script);
if (!values['without-tests']) step('npm', 'test');
step('npm', 'run', 'prove', '--', 'package');

const folder = join(root, 'build/release', version);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
step('npm', 'pack', '--loglevel=error', '--pack-destination', folder);
writeFileSync(
  join(folder, `offerbook-${version}.cdx.json`),
  `${JSON.stringify(listComponents(), null, 2)}\n`,
);
writeFileSync(join(folder, `offerbook-${version}-notes.md`), releaseNotes(read('CHANGELOG.md')));
makeImage(folder);
const sums = readdirSync(folder)
  .sort()
  .map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')}  ${name}\n`,
  );
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
print(`\n${folder}:\n${sums.join('')}`);

// What was built is the commit that is tagged.
const changed = output('git', ['status', '--porcelain']);
if (changed !== '') endWith([`The checks changed files:\n${changed}`]);
if (values['dry-run']) {
  print(`Not tagged (--dry-run). Without it the commit becomes v${version}.`);
} else {
  step('git', 'tag', '--annotate', `v${version}`, '--message', `Offerbook ${version}`);
  print(`Tagged v${version}. Publish it with: git push origin v${version}`);
}
