import { Command } from 'commander';
import type { ServiceContext } from '../service-context.ts';

export function migrateCommand(context: ServiceContext): Command {
  return new Command('migrate')
    .description('migrate the database to this version (a start does so, too)')
    .addHelpText('after', '\nExample:\n  DATABASE_URL=postgres://… offerbook migrate')
    .action(async () => await migrateDatabase(context, context.print));
}

/** Migrates the database and says in a line what was applied. */
export async function migrateDatabase(context: ServiceContext, say: (line: string) => void): Promise<void> {
  await context.withDatabase(async (sql) => {
    const { migrate } = await import('../../database/migrate.ts');
    const applied = await migrate(sql);
    const count = `${applied.length} migration${applied.length === 1 ? '' : 's'}`;
    say(
      applied.length === 0
        ? 'The database is already at this version; nothing was changed.'
        : `Applied ${count}: ${applied.join(', ')}. The database is now at this version.`,
    );
  });
}
