import { expect, it } from 'vitest';
import { migrate } from '../../../src/database/migrate.ts';
import { createTestDatabase } from '../../support/test-database.ts';

it('a model stored with control characters continues under the cleaned name of its offers', async () => {
  const { sql } = await createTestDatabase();
  for (const name of ['RTX\u001b4090', 'RTX\u009b4090', 'H\u202e100', 'H\uFFFD100', 'A100'])
    await sql`insert into gpu_model (name) values (${name})`;
  const before = await sql<{ id: number; name: string }[]>`select id, name from gpu_model order by id`;
  await sql`delete from schema_migration where name like '%plain_model_names'`;
  expect(await migrate(sql)).toHaveLength(1);
  const after = await sql<{ id: number; name: string }[]>`select id, name from gpu_model order by id`;
  // The second and the third would come to a name that is taken: they keep theirs, and are shown escaped.
  const names = ['RTX\uFFFD4090', 'RTX\u009b4090', 'H\u202e100', 'H\uFFFD100', 'A100'];
  expect(after.map(({ name }) => name)).toEqual(names);
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
});
