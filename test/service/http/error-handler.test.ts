import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { createErrorHandler } from '../../../src/service/http/error-handler.ts';
import { silentLog } from '../../support/silent-log.ts';
import { readProblem } from '../../support/test-app.ts';
import { createTestDatabase } from '../../support/test-database.ts';

it('a value that only the database refuses is a 400 and logged, not a 500', async () => {
  const { sql } = await createTestDatabase();
  const wrong = [`select '"\\u0000"'::jsonb`, 'select 1e400::float8', `select '294277-01-01'::timestamptz`];
  for (const query of wrong) {
    const app = new Hono();
    app.onError(createErrorHandler(silentLog));
    app.get('/', async (c) => c.json(await sql.unsafe(query)));
    expect((await readProblem(await app.request('/'), 400)).detail).toContain('cannot be stored');
  }
});
