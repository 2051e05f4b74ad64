import { createHash } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import type { Credential, Role } from '../../core/http/credential.ts';
import type { Db } from '../../database/connection.ts';

/** Returns the credential of somebody whom a trusted proxy names, with this role from now on. */
export async function findPerson(
  db: Db,
  { name, role }: { name: string; role: Role },
  now: Date,
): Promise<Credential> {
  const hash = createHash('sha256').update(`person:${name}`).digest('hex');
  const [known] = await db<{ id: string; role: Role }[]>`
    select id, role from credential where hash = ${hash} and kind = 'person'`;
  if (known?.role === role) return { id: known.id, kind: 'person', role, name };
  const [row] = await db<{ id: string }[]>`
    insert into credential (id, kind, role, name, hash, created_at)
    values (${uuidv7()}, 'person', ${role}, ${name}, ${hash}, ${now})
    on conflict (hash) do update set role = excluded.role where credential.kind = 'person' returning id`;
  if (row === undefined) throw new Error(`the credential of ${name} could not be stored`);
  return { id: row.id, kind: 'person', role, name };
}
