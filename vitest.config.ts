import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Against hanging only: nothing is judged by its time here.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 120_000 } },
    // Two cores carry the tests, their PostgreSQL and a browser.
    maxWorkers: 2,
    // Real processes, servers and browsers share a machine whose other work nobody knows: there a test that fails is
    // tried once more, and the report names it (`retry x1`). On a developer's machine it fails.
    retry: process.env.CI === 'true' ? 1 : 0,
    fileParallelism: true,
  },
});
