import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { npm, readPacked } from '../../prove/package/npm.ts';
import { readText, root } from './source-files.ts';

/** Pictures are larger than all of the program: a document is read without them where it is installed. */
const notPacked = [
  ...['deals-light-phone', 'instances-light-phone', 'market-light', 'order-light', 'spend-dark-phone'],
  ...['spend-light', 'today-light', 'trend-dark-phone', 'trends-dark'],
].map((name) => `docs/images/${name}.png`);

const linksOf = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)|(?:src|href)="([^"#]+)/g)]
    .map(([, link, attribute]) => link ?? attribute ?? '')
    .filter((link) => !/^[a-z]+:/.test(link));

it('every document of the package links to files of the package, apart from pictures', async () => {
  const { files } = readPacked(await npm(['pack', '--dry-run', '--json', '--ignore-scripts'], root));
  const isPacked = (path: string): boolean =>
    files.some((file) => file === path || file.startsWith(`${path}/`));
  const documents = files.filter((path) => path.endsWith('.md') && !path.startsWith('build/'));
  const missing = documents.flatMap((path) =>
    linksOf(readText(path))
      .map((link) => normalize(join(dirname(path), link)).replace(/\/$/, ''))
      .filter((target) => !isPacked(target))
      .map((target) => ({ path, target })),
  );
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'SECURITY.md', 'docs/security.md']));
  expect(missing.filter(({ target }) => !notPacked.includes(target))).toEqual([]);
  expect([...new Set(missing.map(({ target }) => target))].sort()).toEqual([...notPacked].sort());
});
