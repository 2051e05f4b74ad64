import type { Command } from 'commander';
import type { CommandContext } from '../core/terminal/command-context.ts';
import type { Sql } from '../database/connection.ts';
import { present } from '../rentals/market-capability.ts';
import type { PersonalMarket } from '../rentals/templates/person-client.ts';
import { requireNoServer } from './commands/no-server.ts';
import { withApi } from './commands/with-api.ts';
import type { Config } from './config.ts';
import type { DescribedSetting } from './describe-settings.ts';
import { requireData } from './has-data.ts';
import type { Runtime } from './runtime.ts';

/** What every command can use; most commands only declare the parts that they need. */
export interface ServiceContext extends CommandContext<Runtime>, PersonalMarket {
  /** This program's version. */
  version: string;
  config: () => Config;
  /** Every setting with its origin, for people. */
  settings: () => DescribedSetting[];
  /** Environment variables that are probably mistyped settings, a sentence each. */
  mistyped: () => string[];
  /** The command that runs, so that errors name its options; null until one is parsed. */
  running?: { command: Command | null };
  /** Opens only the database, or the one at an address, without migrating it, while `work` runs. */
  withDatabase: <T>(work: (sql: Sql) => Promise<T>, databaseUrl?: string) => Promise<T>;
}

/** What accounts are opened for here, in error messages. */
const manage = 'manage templates';

/** Settings, output and exit code of a command. */
export type Terminal = Pick<
  ServiceContext,
  | 'version'
  | 'config'
  | 'settings'
  | 'mistyped'
  | 'log'
  | 'print'
  | 'note'
  | 'interactive'
  | 'exitWith'
  | 'signal'
  | 'running'
>;

/**
 * Creates the context of commands on this machine, or over OFFERBOOK_URL. Opens nothing by itself, and loads the code
 * of database and market only when one is opened, so that commands on a server start without it.
 */
export function createServiceContext(terminal: Terminal): ServiceContext {
  const { config, log } = terminal;
  const context: ServiceContext = {
    ...terminal,
    withApi: async (ask) => await withApi(context, ask),
    withRuntime: async (work, { begins } = {}) => {
      requireNoServer(config());
      if (begins !== true) await requireData(config());
      const { openRuntime } = await import('./runtime.ts');
      const { besideService } = await import('./service-address.ts');
      const runtime = await openRuntime(await besideService(config()), log('command'), {
        onlyBegun: begins !== true,
      });
      try {
        return await work(runtime);
      } finally {
        await runtime.close();
      }
    },
    withDatabase: async (work, databaseUrl) => {
      requireNoServer(config());
      const { openDatabase } = await import('./open-database.ts');
      const place = databaseUrl === undefined ? config() : { ...config(), databaseUrl };
      const database = await openDatabase(place, log('command'), (sql) => sql`select 1`);
      try {
        return await work(database.sql);
      } finally {
        await database.close();
      }
    },
    accountRules: async () => {
      const { prepareMarket } = await import('./open-market.ts');
      return present(prepareMarket(config()).rules, manage);
    },
    withPersonAccount: async (work) => {
      if (config().market !== null) {
        await context.withRuntime(async ({ market }) => {
          await work(present((await market()).personMarket.account, manage));
        });
        return;
      }
      // The built-in simulator has no budget to share, and so needs no database.
      const { openMarket } = await import('./open-market.ts');
      const market = await openMarket(config(), log('command'));
      try {
        await work(present(market.personMarket.account, manage));
      } finally {
        await market.close();
      }
    },
  };
  return context;
}
