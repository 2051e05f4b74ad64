// npm run dependencies: checks the licenses of what the program consists of, that each direct dependency has its reason, and
// asks the registry for known vulnerabilities. A registry that cannot tell is no failure.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeAudit } from './audit-verdict.ts';
import {
  type LockedPackage,
  licenseProblems,
  type Manifest,
  reasonProblems,
  shippedPackages,
} from './dependency-problems.ts';
import { copiedPackages, importsOfPage } from './list-components.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> };
const shipped = [
  ...shippedPackages(packages, importsOfPage()),
  ...copiedPackages.map((name) => `node_modules/${name}`),
];
const problems = [
  ...licenseProblems(packages, shipped),
  ...reasonProblems(JSON.parse(read('package.json')) as Manifest, read('docs/dependencies.md')),
];
print(
  `${shipped.length} packages in program and page: ${problems.length} problems with licenses and reasons.`,
);

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  cwd: root,
  encoding: 'utf8',
  timeout: 120_000,
});
const audit = judgeAudit(stdout);
print(audit.words);
problems.push(...audit.problems);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
