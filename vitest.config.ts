import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Against hanging only: nothing is judged by its time here.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Two cores carry the tests, their PostgreSQL and a browser.
    maxWorkers: 2,
    fileParallelism: true,
  },
});
