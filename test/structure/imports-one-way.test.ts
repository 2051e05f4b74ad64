import { describe, expect, it } from 'vitest';
import { countOwnImports, findCircles, findForbiddenImports } from './import-rules.ts';
import { readFiles } from './source-files.ts';

const files = [...readFiles('src', ['.ts']), ...readFiles('web', ['.ts', '.tsx'])];
const planted = (path: string, text: string) => findForbiddenImports([{ path, text }]);

describe('imports run one way', () => {
  it('in every file of src and web', () => {
    expect(findForbiddenImports(files)).toEqual([]);
  });

  it('and never in a circle, not even within a folder', () => {
    expect(findCircles(files)).toEqual([]);
    const circle = [
      { path: 'src/books/a.ts', text: "import { b } from './deep/b.ts';" },
      { path: 'src/books/deep/b.ts', text: "import type { C } from '../c.ts';" },
      { path: 'src/books/c.ts', text: "import { a } from './a.ts';\nimport { d } from './d.ts';" },
      { path: 'src/books/d.ts', text: "import { z } from 'zod';" },
    ];
    expect(findCircles(circle)).toEqual([['src/books/a.ts', 'src/books/c.ts', 'src/books/deep/b.ts']]);
    expect(findCircles(circle.slice(1))).toEqual([]);
  });

  it('and the root of src has two files', () => {
    const loose = files.map(({ path }) => path).filter((path) => /^src\/[^/]+$/.test(path));
    expect(loose).toEqual(['src/cli.ts', 'src/main.ts']);
  });

  it('and the test finds all imports', () => {
    const statements = files.flatMap(
      ({ text }) => text.match(/^(?:import|export|\}) .*from '\.{1,2}\/.*';$/gm) ?? [],
    );
    expect(statements.length).toBeGreaterThan(100);
    expect(countOwnImports(files)).toBeGreaterThanOrEqual(statements.length);
  });
});

describe('a planted import is found', () => {
  it.each([
    ['a sibling', 'src/database/a.ts', "import { b } from '../market/b.ts';"],
    ['a sibling by type', 'src/database/a.ts', "import type { B } from '../market/b.ts';"],
    ['a sibling over many lines', 'src/market/a.ts', "import {\n  b,\n  c,\n} from '../simulator/b.ts';"],
    ['a later subject', 'src/prices/a.ts', "import { b } from '../rentals/b.ts';"],
    ['the composition', 'src/watches/a.ts', "import type { B } from '../service/b.ts';"],
    ['a re-export', 'src/market/a.ts', "export { b } from '../books/b.ts';"],
    ['a re-export of all', 'src/market/a.ts', "export * from '../books/b.ts';"],
    ['an import for its effect', 'src/market/a.ts', "import '../books/b.ts';"],
    ['a dynamic import', 'src/jobs/a.ts', "const b = await import('../books/b.ts');"],
    ['upwards', 'src/books/deep/a.ts', "import { run } from '../../cli.ts';"],
    ['the inside of the simulator', 'src/service/a.ts', "import { b } from '../simulator/model/b.ts';"],
    ['values of the API in the page', 'web/a.ts', "import { b } from '../src/prices/b.routes.ts';"],
    ['types of routes in the page', 'web/a.ts', "import type { B } from '../src/prices/b.routes.ts';"],
    ['the inside of a marketplace', 'src/books/a.ts', "import { b } from '../market/vast/b.ts';"],
    ['a marketplace in another', 'src/market/clore/a.ts', "import { b } from '../vast/b.ts';"],
    ['a marketplace in the interface', 'src/market/a.ts', "import type { B } from './vast/b.ts';"],
    ['a test', 'src/database/a.ts', "import { b } from '../../test/b.ts';"],
    ['an unknown folder', 'src/misc/a.ts', ''],
    ['an import of an unknown folder', 'src/books/a.ts', "import { b } from '../misc/b.ts';"],
  ])('%s', (_, path, text) => {
    expect(planted(path, text)).toHaveLength(1);
  });

  it.each([
    ['its own folder', 'src/database/embedded/a.ts', "import { b } from '../connection.ts';"],
    ['a folder that the table allows', 'src/books/a.ts', "import { b } from '../database/b.ts';"],
    ['createSimulator', 'src/service/a.ts', "import { createSimulator } from '../simulator/simulator.ts';"],
    ['what all marketplaces share', 'src/market/vast/a.ts', "import { b } from '../wire/b.ts';"],
    ['a marketplace in the registry', 'src/market/registry.ts', "import { vast } from './vast/b.ts';"],
    ['the types of the API in the page', 'web/prices/a.ts', "import type { B } from '../core/api.ts';"],
    ['a package', 'src/core/a.ts', "import { z } from 'zod';"],
  ])('but %s is allowed', (_, path, text) => {
    expect(planted(path, text)).toEqual([]);
  });
});
