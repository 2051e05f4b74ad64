import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { npm, readPacked } from '../../prove/package/npm.ts';
import { readText, root } from './source-files.ts';

const linksOf = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)|(?:src|href)="([^"#]+)/g)]
    .map(([, link, attribute]) => link ?? attribute ?? '')
    .filter((link) => !/^[a-z]+:/.test(link));

it('every document of the package links to files of the package, which has no other pictures', async () => {
  const { files } = readPacked(await npm(['pack', '--dry-run', '--json', '--ignore-scripts'], root));
  const isPacked = (path: string): boolean =>
    files.some((file) => file === path || file.startsWith(`${path}/`));
  const documents = files.filter((path) => path.endsWith('.md') && !path.startsWith('build/'));
  const links = documents.flatMap((path) =>
    linksOf(readText(path)).map((link) => ({
      path,
      target: normalize(join(dirname(path), link)).replace(/\/$/, ''),
    })),
  );
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'SECURITY.md', 'docs/security.md']));
  expect(links.filter(({ target }) => !isPacked(target))).toEqual([]);
  // Pictures are a third of the package: only those that a document shows.
  const pictures = files.filter((path) => path.startsWith('docs/images/'));
  expect(pictures.filter((path) => !links.some(({ target }) => target === path))).toEqual([]);
});
