import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fencedBlocks, shellBlocks } from '../support/document-blocks.ts';
import { readFiles, readText, root } from './source-files.ts';

describe('documents', () => {
  const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md']
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

  it('README.md has fewer than 200 lines', () => {
    expect(readText('README.md').trimEnd().split('\n').length).toBeLessThan(200);
  });

  it('guides have 40 to 100 lines', () => {
    const guides = readFiles('docs/guides', ['.md']).map(({ path, text }) => ({
      path,
      lines: text.trimEnd().split('\n').length,
    }));
    expect(guides.filter(({ lines }) => lines < 40 || lines > 100)).toEqual([]);
    expect(guides.length).toBeGreaterThan(0);
  });

  it.each(documents.map(({ path, text }) => [path, text] as const))(
    '%s marks every block as runnable or not',
    (_, text) => {
      const languages = fencedBlocks(text).map(({ language }) => language);
      expect(
        languages.filter((language) => !['sh', 'sql', 'text', 'json', 'js', 'ts', 'yaml'].includes(language)),
      ).toEqual([]);
    },
  );

  it('docs/api.md has one runnable example for each route', () => {
    const text = readText('docs/api.md');
    const routes = [...text.matchAll(/^### (`(?:GET|POST|PATCH|PUT|DELETE) .*)$/gm)].map(
      ([, route]) => route,
    );
    const examples = shellBlocks(text).map(({ heading }) => heading);
    expect(examples.filter((heading) => heading.startsWith('`'))).toEqual(routes);
    expect(routes.length).toBeGreaterThan(5);
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
