import { expect, it } from 'vitest';
import { runOfferbook } from '../../support/offerbook-command.ts';
import { createTestDatabase, databaseUrl } from '../../support/test-database.ts';

/** Prints the packages whose code a process has read, as one line on stderr. */
const report = `
import { registerHooks } from 'node:module';
const read = new Set();
registerHooks({
  load: (url, context, next) => {
    read.add(/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1] ?? '');
    return next(url, context);
  },
});
process.on('exit', () => process.stderr.write('read ' + [...read].join(' ') + '\\n'));
`;

it('a command on the database reads no code of requests, metrics, Parquet and feeds', async () => {
  const { target } = await createTestDatabase();
  const { code, stderr } = await runOfferbook(['token', 'list'], {
    DATABASE_URL: databaseUrl(target),
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(report)}`,
  });
  expect(code).toBe(0);
  const read = stderr.find((line) => line.startsWith('read '))?.split(' ') ?? [];
  expect(read).toEqual(expect.arrayContaining(['hono', 'postgres', 'drizzle-orm']));
  const unread = ['undici', 'prom-client', 'hyparquet-writer', 'feed'];
  expect(read.filter((name) => unread.includes(name))).toEqual([]);
});
