import type { CommandContext } from '../core/terminal/command-context.ts';
import type { Sql } from '../database/connection.ts';
import type { PersonalMarket } from '../rentals/templates/person-client.ts';
import { requireNoServer } from './commands/no-server.ts';
import { withApi } from './commands/with-api.ts';
import type { Config } from './config.ts';
import type { DescribedSetting } from './describe-settings.ts';
import { openDatabase } from './open-database.ts';
import { openMarket, readDialect } from './open-market.ts';
import { openRuntime, type Runtime } from './runtime.ts';
import { besideService } from './service-address.ts';

/** What every command can have: those of subjects ask for parts of it. */
export interface ServiceContext extends CommandContext<Runtime>, PersonalMarket {
  /** This program's version. */
  version: string;
  config: () => Config;
  /** Every setting with where it comes from, for people. */
  settings: () => DescribedSetting[];
  /** Opens the database alone, as it is, for the time of `work`. */
  withDatabase: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>;
}

/** Settings, and where a command's words and exit code go. */
export type Terminal = Pick<
  ServiceContext,
  'version' | 'config' | 'settings' | 'log' | 'print' | 'note' | 'interactive' | 'exitWith' | 'signal'
>;

/** What commands work with on this machine, or over OFFERBOOK_URL. Opens nothing by itself. */
export function createServiceContext(terminal: Terminal): ServiceContext {
  const { config, log } = terminal;
  const context: ServiceContext = {
    ...terminal,
    withApi: async (ask) => await withApi(context, ask),
    withRuntime: async (work) => {
      requireNoServer(config());
      const runtime = await openRuntime(await besideService(config()), log('command'));
      try {
        return await work(runtime);
      } finally {
        await runtime.close();
      }
    },
    withDatabase: async (work) => {
      requireNoServer(config());
      const database = await openDatabase(config(), log('command'), (sql) => sql`select 1`);
      try {
        return await work(database.sql);
      } finally {
        await database.close();
      }
    },
    dialect: () => readDialect(config()),
    withPersonClient: async (work) => {
      if (config().market !== null) {
        await context.withRuntime(async ({ market }) => await work((await market()).personClient));
        return;
      }
      // The built-in simulator has no budget to share, and so needs no database.
      const market = await openMarket(config(), log('command'));
      try {
        await work(market.personClient);
      } finally {
        await market.close();
      }
    },
  };
  return context;
}
