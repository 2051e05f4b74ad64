import { describe, expect, it } from 'vitest';
import { judgeAudit } from '../../scripts/audit-verdict.ts';
import {
  type LockedPackage,
  licenseProblems,
  type Manifest,
  reasonProblems,
  shippedPackages,
} from '../../scripts/dependency-problems.ts';
import { importsOfPage } from '../../scripts/list-components.ts';
import { readText } from './source-files.ts';

const { packages } = JSON.parse(readText('package-lock.json')) as { packages: Record<string, LockedPackage> };
const manifest = JSON.parse(readText('package.json')) as Manifest;
const document = readText('docs/dependencies.md');

describe('licenses', () => {
  it('of everything in program and page are on the list of allowed ones', () => {
    const shipped = shippedPackages(packages, importsOfPage());
    expect(shipped).toEqual(
      expect.arrayContaining([
        'node_modules/postgres',
        'node_modules/chart.js',
        'node_modules/@kurkle/color',
      ]),
    );
    expect(shipped).not.toContain('node_modules/vitest');
    expect(licenseProblems(packages, shipped)).toEqual([]);
  });

  it.each([
    ['GPL-3.0-only', 1],
    ['(MIT OR GPL-3.0-only)', 0],
    ['MIT AND GPL-3.0-only', 1],
    ['SEE LICENSE IN LICENSE.md', 1],
    [undefined, 1],
  ])('%s gives %i problems', (license, problems) => {
    const made = { 'node_modules/made': license === undefined ? {} : { license } };
    expect(licenseProblems(made, shippedPackages(made, []))).toHaveLength(problems);
  });
});

describe('docs/dependencies.md', () => {
  it('has the reason of each direct dependency, and of no other', () => {
    expect(reasonProblems(manifest, document)).toEqual([]);
  });

  it('is refused with a package too few or too many, or without its reason', () => {
    const { zod: _, ...dependencies } = manifest.dependencies;
    expect(reasonProblems({ ...manifest, dependencies }, document)).toEqual([
      expect.stringMatching(/^zod is in docs/),
    ]);
    const more = { ...manifest, dependencies: { ...manifest.dependencies, 'left-pad': '1.3.0' } };
    expect(reasonProblems(more, document)).toEqual([expect.stringMatching(/^left-pad is in package.json/)]);
    const empty = document.replace(/^\| `zod` \| .* \|$/m, '| `zod` |  |');
    expect(reasonProblems(manifest, empty)).toEqual([expect.stringMatching(/^zod .* without a reason/)]);
  });
});

describe('npm audit', () => {
  it('names what must be replaced, and cannot tell where the registry does not', () => {
    const via = [{ title: 'Prototype pollution', url: 'https://example.org/1' }];
    const report = { vulnerabilities: { made: { severity: 'high', via }, minor: { severity: 'low', via } } };
    expect(judgeAudit(JSON.stringify(report)).problems).toEqual([
      'made has a vulnerability (high): Prototype pollution (https://example.org/1)',
    ]);
    for (const answer of [
      '',
      'not JSON',
      '{"error":{"summary":""}}',
      '{"message":"405 Method Not Allowed"}',
    ]) {
      expect(judgeAudit(answer)).toEqual({ words: expect.stringContaining('could not tell'), problems: [] });
    }
  });
});
