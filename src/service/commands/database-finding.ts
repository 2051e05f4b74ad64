import { statfs } from 'node:fs/promises';
import { UserError } from '../../core/errors.ts';
import { examineSchema, type SchemaState } from '../../database/examine-schema.sql.ts';
import { examineServer, type ServerState } from '../../database/examine-server.sql.ts';
import { oldestServer } from '../../database/migrate.ts';
import type { Finding } from '../../market/finding.ts';
import { hasData } from '../has-data.ts';
import type { ServiceContext } from '../service-context.ts';

const subject = 'database';

/** Reports whether the database can be used: its version and size, and what its role lacks for migrations. */
export async function examineDatabase({
  config,
  withDatabase,
}: Pick<ServiceContext, 'config' | 'withDatabase'>): Promise<Finding> {
  const { databaseUrl, dataDir } = config();
  if (!(await hasData(config()))) {
    const message = `there is none in ${dataDir} yet: the first start creates it`;
    return { subject, status: 'off', message, measured: { dataDir } };
  }
  try {
    return await withDatabase(async (sql) => {
      const server = await examineServer(sql);
      const free = databaseUrl === null ? await freeBytes(dataDir) : null;
      // Without its rights the role may not even read the schema.
      return describe(server, lacking(server) === null ? await examineSchema(sql) : null, free);
    });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { subject, status: 'failed', message: error.message, measured: {} };
  }
}

function describe(server: ServerState, schema: SchemaState | null, freeBytes: number | null): Finding {
  const free = freeBytes === null ? '' : `, ${gigabytes(freeBytes)} free on its disk`;
  const facts = `PostgreSQL ${server.version}, ${gigabytes(server.bytes)}${free}; `;
  const measured = { ...server, freeBytes, pending: schema?.pending.length ?? null };
  const failed = (why: string): Finding => ({ subject, status: 'failed', message: facts + why, measured });
  if (schema === null) return failed(`it cannot be used: ${lacking(server)}`);
  if (schema.newer !== null) {
    return failed('it is newer than this program: `offerbook upgrade --check` says what it needs');
  }
  const pending = schema.pending.length === 0 ? '' : `, ${schema.pending.length} migrations are pending`;
  const message = `${facts}the role ${server.role} may migrate it${pending}`;
  return { subject, status: 'ok', message, measured };
}

/** Returns what the role lacks for migrations and what to do; null: nothing. */
function lacking(server: ServerState): string | null {
  const { version, schema, role, mayCreate, foreignTables, ownerStatement } = server;
  if (Number.parseInt(version, 10) < oldestServer)
    return `Offerbook needs PostgreSQL ${oldestServer} or later`;
  if (schema === null) return `the search path of the role ${role} names no schema that exists; create one`;
  if (!mayCreate) {
    return `the role ${role} may not create tables in the schema ${schema}; make it the owner of the database: ${ownerStatement}`;
  }
  if (foreignTables === 0) return null;
  return `${foreignTables} tables in the schema ${schema} belong to another role; set DATABASE_URL to that role, or give them to ${role}: REASSIGN OWNED BY … TO ${role}`;
}

/** null: the file system does not say it. */
const freeBytes = async (dataDir: string): Promise<number | null> =>
  await statfs(dataDir).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  );

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(bytes < 1e9 ? 3 : 1)} GB`;
