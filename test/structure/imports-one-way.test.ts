import { describe, expect, it } from 'vitest';
import { countOwnImports, findForbiddenImports } from './import-rules.ts';
import { readFiles } from './source-files.ts';

const files = [...readFiles('src', ['.ts']), ...readFiles('web', ['.ts', '.tsx'])];
const planted = (path: string, text: string) => findForbiddenImports([{ path, text }]);

describe('imports run one way', () => {
  it('in every file of src and web', () => {
    expect(findForbiddenImports(files)).toEqual([]);
  });

  it('and the reading finds the imports there are', () => {
    const statements = files.flatMap(
      ({ text }) => text.match(/^(?:import|export|\}) .*from '\.{1,2}\/.*';$/gm) ?? [],
    );
    expect(statements.length).toBeGreaterThan(100);
    expect(countOwnImports(files)).toBeGreaterThanOrEqual(statements.length);
  });
});

describe('a planted import is found', () => {
  it.each([
    ['a sibling', 'src/db/a.ts', "import { b } from '../market/b.ts';"],
    ['a sibling by type', 'src/db/a.ts', "import type { B } from '../market/b.ts';"],
    ['a sibling over many lines', 'src/market/a.ts', "import {\n  b,\n  c,\n} from '../simulator/b.ts';"],
    ['a re-export', 'src/domain/a.ts', "export { b } from '../db/b.ts';"],
    ['a re-export of all', 'src/domain/a.ts', "export * from '../db/b.ts';"],
    ['an import for its effect', 'src/domain/a.ts', "import '../db/b.ts';"],
    ['a dynamic import', 'src/crawl/a.ts', "const b = await import('../analytics/b.ts');"],
    ['upwards', 'src/crawl/deep/a.ts', "import { run } from '../../cli.ts';"],
    ['the inside of the simulator', 'src/commands/a.ts', "import { b } from '../simulator/model/b.ts';"],
    ['values of the API in the page', 'web/a.ts', "import { b } from '../src/api/b.ts';"],
    ['types of the database in the page', 'web/a.ts', "import type { B } from '../src/db/b.ts';"],
    ['a test', 'src/db/a.ts', "import { b } from '../../test/b.ts';"],
    ['an unknown folder', 'src/misc/a.ts', ''],
    ['an import of an unknown folder', 'src/api/a.ts', "import { b } from '../misc/b.ts';"],
  ])('%s', (_, path, text) => {
    expect(planted(path, text)).toHaveLength(1);
  });

  it.each([
    ['its own folder', 'src/db/embedded/a.ts', "import { b } from '../connection.ts';"],
    ['a folder that the table allows', 'src/crawl/a.ts', "import { b } from '../db/b.ts';"],
    ['createSimulator', 'src/commands/a.ts', "import { createSimulator } from '../simulator/simulator.ts';"],
    ['the types of the API in the page', 'web/a.ts', "import type { B } from '../src/api/b.ts';"],
    ['a package', 'src/domain/a.ts', "import { z } from 'zod';"],
  ])('but %s is allowed', (_, path, text) => {
    expect(planted(path, text)).toEqual([]);
  });
});
