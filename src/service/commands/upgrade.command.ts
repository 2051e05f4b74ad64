import { Command } from 'commander';
import { exitCodes } from '../../core/terminal/command-context.ts';
import { formatFacts, formatTable } from '../../core/terminal/table.ts';
import type { SchemaState } from '../../database/examine-schema.sql.ts';
import { hasData } from '../has-data.ts';
import type { ServiceContext } from '../service-context.ts';
import { migrateDatabase } from './migrate.command.ts';
import { requireNoServer } from './no-server.ts';

/** `offerbook upgrade`. */
export function upgradeCommand(context: ServiceContext): Command {
  return new Command('upgrade')
    .description('say what this version changes in the database, then migrate it')
    .option('--check', 'only say it: change nothing')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook upgrade --check')
    .action(async ({ check, json }: { check?: true; json?: true }) => {
      const state = await examine(context);
      const { version } = context;
      context.print(
        json
          ? JSON.stringify({ version, database: state })
          : describeUpgrade(version, state, context.config().dataDir),
      );
      if (state === null) return;
      if (state.newer !== null) context.exitWith(exitCodes.failed);
      else if (check !== true) await migrateDatabase(context, json ? context.note : context.print);
    });
}

/** Returns the state of the database; null: there is none yet, and asking would create it. */
async function examine(context: ServiceContext): Promise<SchemaState | null> {
  const config = context.config();
  requireNoServer(config);
  if (!(await hasData(config))) return null;
  const { examineSchema } = await import('../../database/examine-schema.sql.ts');
  return await context.withDatabase(examineSchema);
}

/** Formats what an upgrade to this version would do, for the terminal. `dataDir` is where a database was looked for. */
export function describeUpgrade(version: string, state: SchemaState | null, dataDir: string): string {
  const program = `Offerbook ${version}`;
  if (state === null) {
    return (
      `${program}. There is no database yet in ${dataDir}: the first start creates it. If there should be one, change ` +
      'to the folder where Offerbook was started, or set DATA_DIR or DATABASE_URL.'
    );
  }
  const { programSchema, databaseSchema, databaseVersion, pending, newer } = state;
  const by = databaseVersion === null ? '' : `, by Offerbook ${databaseVersion}`;
  const facts = formatFacts([
    ['Program', `${program}, schema ${programSchema}`],
    ['Database', databaseSchema === null ? 'empty' : `schema ${databaseSchema}${by}`],
  ]);
  if (newer !== null) {
    const needed = newer.version === null ? 'the Offerbook that migrated it' : `Offerbook ${newer.version}`;
    return `${facts}\n\nThe database is newer than this program (${newer.name}): it needs ${needed} or newer.`;
  }
  if (pending.length === 0) return `${facts}\n\nThe database is at this version: nothing is to be migrated.`;
  const rows = pending.map(({ name, tables, mayTakeLong }) => [
    name,
    tables.map((table) => `${table.name} (${megabytes(table.bytes)})`).join(', ') || 'none',
    mayTakeLong ? 'may take minutes' : 'seconds',
  ]);
  const long = pending.some(({ mayTakeLong }) => mayTakeLong)
    ? 'The service cannot start until they are done: plan a pause, and back up first.'
    : 'None of them takes long. Back up first.';
  return `${facts}\n\n${formatTable(['Migration', 'Tables it goes through', 'Takes'], rows)}\n\n${long}`;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
