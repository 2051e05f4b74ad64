import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFiles, readText, root } from './source-files.ts';

describe('documents', () => {
  const documents = ['README.md', 'CONTRIBUTING.md']
    .map((path) => ({ path, text: readText(path) }))
    .concat(readFiles('docs', ['.md']));

  it.each(documents.map(({ path, text }) => [path, text] as const))(
    '%s links to files that exist',
    (path, text) => {
      const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link]) => link ?? '');
      const local = links.filter((link) => !/^[a-z]+:/.test(link));
      expect(local.filter((link) => !existsSync(join(root, dirname(path), link)))).toEqual([]);
    },
  );

  it.each(documents.map(({ path, text }) => [path, text] as const))(
    '%s names paths that exist',
    (_, text) => {
      const named = [
        ...text.matchAll(/`((?:src|web|test|bench|prove|scripts|docs|migrations|\.ci)\/[\w./-]*)`/g),
      ];
      const missing = named.map(([, path]) => path ?? '').filter((path) => !existsSync(join(root, path)));
      expect(missing).toEqual([]);
    },
  );

  it('README.md links to every page of docs', () => {
    const readme = readText('README.md');
    const pages = readFiles('docs', ['.md'])
      .map(({ path }) => path)
      .filter((path) => !path.startsWith('docs/decisions/'));
    expect(pages.filter((path) => !readme.includes(`(${path})`))).toEqual([]);
  });

  it('decisions have at most 40 lines, the same sections, and name what enforces them', () => {
    const sections = ['Context', 'Options', 'Decision', 'Consequences', 'Confirmation'].map(
      (title) => `## ${title}`,
    );
    const decisions = readFiles('docs/decisions', ['.md']);
    const bad = decisions.filter(
      ({ path, text }) =>
        !/\/\d{4}-[a-z0-9-]+\.md$/.test(path) ||
        text.trimEnd().split('\n').length > 40 ||
        text.match(/^## .*$/gm)?.join() !== sections.join() ||
        !/`(test|bench|prove|\.ci)\//.test(text.split('## Confirmation')[1] ?? ''),
    );
    expect(bad.map(({ path }) => path)).toEqual([]);
    expect(decisions.length).toBeGreaterThan(0);
  });
});
