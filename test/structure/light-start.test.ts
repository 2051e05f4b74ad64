import { posix } from 'node:path';
import { expect, it } from 'vitest';
import { readFiles } from './source-files.ts';

const files = new Map(readFiles('src', ['.ts']).map(({ path, text }) => [path, text]));

/** Returns the static imports of a file, without types and dynamic imports. */
const importsAtOnce = (path: string): string[] =>
  [...(files.get(path) ?? '').matchAll(/^(?:import|export) (?!type )([^;']*?) ?from '([^']+)';$/gm)]
    .filter(
      ([, names = '']) =>
        names.match(/\w+/g)?.length !==
        names
          .match(/\btype \w+/g)
          ?.join(' ')
          .split(' ').length,
    )
    .map(([, , name = '']) => (name.startsWith('.') ? posix.join(posix.dirname(path), name) : name));

it('a command that asks a server reads no code of database, HTTP server or market client', () => {
  const reached = new Set(['src/cli.ts']);
  for (const path of reached) for (const name of importsAtOnce(path)) reached.add(name);
  expect(reached.size).toBeGreaterThan(100);
  const heavy = ['postgres', 'pg-boss', 'undici', 'nodemailer', '@hono/zod-openapi', '@hono/node-server'];
  const own = ['src/database/drizzle.ts', 'src/service/runtime.ts', 'src/simulator/simulator.ts'];
  expect([...heavy, ...own].filter((name) => reached.has(name))).toEqual([]);
});

it('no file imports a package of hundreds of files whole', () => {
  // For each of a package's ES modules Node parses its description again: 200 kB of it cost every command a second.
  const whole = [...files.keys()].filter((path) =>
    importsAtOnce(path).some((name) => ['date-fns', 'drizzle-orm'].includes(name)),
  );
  expect(whole).toEqual([]);
  expect(importsAtOnce('src/spend/period-before.ts')).toContain('date-fns/startOfDay');
});
