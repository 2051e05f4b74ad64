import type { Sql } from './connection.ts';

/** What a server says about itself and about what this role may do in its database. */
export interface ServerState {
  /** `17.2` */
  version: string;
  role: string;
  /** The statement that makes the role the owner of the database, who may do everything in it. */
  ownerStatement: string;
  bytes: number;
  /** null: the search path names no schema that exists and may be used. */
  schema: string | null;
  mayCreate: boolean;
  /** Tables in the schema that belong to another role, so that migrations cannot change them. */
  foreignTables: number;
}

/** Reads a server's version, the size of the database, and whether the role may migrate it. */
export async function examineServer(sql: Sql): Promise<ServerState> {
  const [row] = await sql<ServerState[]>`
    select split_part(current_setting('server_version'), ' ', 1) as version, current_user::text as role,
      format('ALTER DATABASE %I OWNER TO %I', current_database(), current_user) as "ownerStatement",
      pg_database_size(current_database())::float8 as bytes, current_schema()::text as schema,
      coalesce(has_schema_privilege(current_schema()::text, 'create'), false) as "mayCreate",
      (select count(*)::int from pg_class
        where relkind in ('r', 'p') and relnamespace = to_regnamespace(quote_ident(current_schema()))
          and not pg_has_role(relowner, 'usage')) as "foreignTables"`;
  if (row === undefined) throw new Error('a select without a table returned no row');
  return row;
}
