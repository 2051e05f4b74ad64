import type { OwnPostgres } from './own-postgres.ts';
import { type Expect, refusalOf, useService } from './use-service.ts';

/** Tries a role that is no superuser and owns its database alone, as providers give one, and one with too few rights. */
export async function checkRole(server: OwnPostgres, expect: Expect): Promise<void> {
  await server.run(
    'create role tenant login nosuperuser nocreatedb nocreaterole; create database tenants owner tenant; create role guest login',
  );
  // As providers do: nobody else may connect.
  await server.run(
    'revoke all on database tenants from public; grant connect on database tenants to guest',
    'tenants',
  );
  const said = await refusalOf({ DATABASE_URL: server.url('tenants', 'guest') });
  expect(
    /permission denied .*ALTER DATABASE/.test(said) && !said.includes('\n'),
    'a role without rights is refused',
    said,
  );
  await useService({ DATABASE_URL: server.url('tenants', 'tenant') }, expect, 'as the owner of the database');
}
