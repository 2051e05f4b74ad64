import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { shareOfToday } from './test/support/share-of-today.ts';

/** Short files that take minutes, the longest first: begun last, they would keep one worker busy while others have nothing to do. */
const longest = ['test/web/page.test.ts', 'documents-run.test.ts', '-processes.test.ts', '-killed.test.ts'];

/** Real processes that live and die, a thousand calls at once, whole histories counted again: `npm test` runs a quarter each day. */
const takesMinutes = globSync(
  [
    'test/**/*-{killed,processes,proved}.test.ts',
    'test/books/import-{memory,recorded}.test.ts',
    'test/books/landing/any-history.test.ts',
    'test/prices/index/{recorded,stored}-index.test.ts',
    'test/prices/wait/wait-or-rent.test.ts',
    'test/rentals/cost.test.ts',
    'test/service/commands/hostile-names.test.ts',
    'test/service/deletion/delete-older.test.ts',
    'test/service/mcp/many-calls.test.ts',
    'test/service/several-markets.test.ts',
  ],
  { cwd: import.meta.dirname },
).sort();
const today = shareOfToday(takesMinutes, 4);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = longest.findIndex((part) => moduleId.includes(part));
      return place === -1 ? longest.length : place;
    };
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b));
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...takesMinutes.filter((file) => !today.includes(file))],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/each-file.ts'],
    // One worker reads what files share once, not every file anew: a third of all the time of processors.
    isolate: false,
    // Against hanging only: nothing is judged by its time here.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 120_000 } },
    // Compiled once for all workers and for the processes that tests start: these begin in half the time.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('./node_modules/.cache/offerbook', import.meta.url)) },
    // Two cores carry the tests, their PostgreSQL and a browser; of three files, one is usually waiting.
    maxWorkers: 3,
    // Real processes, servers and browsers share a machine whose other work nobody knows: there a test that fails is
    // tried once more, and the report names it (`retry x1`). On a developer's machine it fails.
    retry: process.env.CI === 'true' ? 1 : 0,
    fileParallelism: true,
    sequence: { sequencer: LongestFirst },
  },
});
