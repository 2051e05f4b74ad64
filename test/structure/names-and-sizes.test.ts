import { describe, expect, it } from 'vitest';
import { readFiles, withoutComments } from './source-files.ts';

const source = readFiles('src', ['.ts']);
const everything = [
  ...source,
  ...['web', 'test', 'bench', 'prove', 'scripts'].flatMap((folder) => readFiles(folder, ['.ts', '.tsx'])),
];
const paths = (files: { path: string }[]) => files.map(({ path }) => path);

describe('files', () => {
  it('are named by their content', () => {
    expect(
      paths(everything.filter(({ path }) => /\/(utils?|helpers?|types|misc|common|index)\.tsx?$/.test(path))),
    ).toEqual([]);
  });

  it('are named in kebab-case', () => {
    expect(
      paths(
        everything.filter(
          ({ path }) =>
            !/\/[a-z0-9]+(-[a-z0-9]+)*(\.(sql|routes|command|tables|test|config|d))?\.tsx?$/.test(path),
        ),
      ),
    ).toEqual([]);
  });

  it('of src and web have 300 lines at most', () => {
    const shown = everything.filter(
      ({ path }) => /^(src|web)\//.test(path) && !path.startsWith('src/database/schema/'),
    );
    expect(paths(shown.filter(({ text }) => text.split('\n').length > 301))).toEqual([]);
  });
});

describe('code', () => {
  it('reads the environment in entry points only', () => {
    const entryPoints = ['src/cli.ts', 'src/main.ts'];
    const readers = source.filter(({ text }) =>
      /\bprocess\.env\b|\bimport\.meta\.env\b/.test(withoutComments(text)),
    );
    expect(paths(readers).filter((path) => !entryPoints.includes(path))).toEqual([]);
  });

  it('declares answers, pages and ids of nothing in routes by the parts of `core/http`, and holds no transaction there', () => {
    const own = {
      transaction: /\.begin\(|\binTransaction\(/,
      content: /'application\/json': \{/,
      list: /\.object\(\{\s*items: z\.array\([^)]*\),\s*nextCursor: z\.[\w.()]+,?\s*\}\)|\bwriteCursor\(/,
      missing: /There is no \w+ with this id\.'/,
    };
    const routes = source.filter(({ path }) => path.endsWith('.routes.ts'));
    expect(routes.length).toBeGreaterThan(30);
    for (const [what, pattern] of Object.entries(own)) {
      expect([what, paths(routes.filter(({ text }) => pattern.test(withoutComments(text))))]).toEqual([
        what,
        [],
      ]);
    }
  });

  it('has named exports only', () => {
    expect(paths(source.filter(({ text }) => /^export default\b/m.test(text)))).toEqual([]);
  });

  it('switches no check off', () => {
    const switches = /@ts-(ignore|nocheck|expect-error)|biome-ignore|eslint-disable/;
    const own = 'test/structure/names-and-sizes.test.ts';
    expect(paths(everything.filter(({ path, text }) => path !== own && switches.test(text)))).toEqual([]);
  });
});
