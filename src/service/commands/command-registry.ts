import type { Command } from 'commander';
import { crawlsCommand } from '../../books/crawls.command.ts';
import { importCommand } from '../../books/import/import.command.ts';
import { seedCommand } from '../../books/seed.command.ts';
import { orderCommand } from '../../orders/order.command.ts';
import { catalogsCommand } from '../../prices/catalogs/catalogs.command.ts';
import { forecastCommand } from '../../prices/forecast/forecast.command.ts';
import { modelsCommand } from '../../prices/newest/models.command.ts';
import { offersCommand } from '../../prices/newest/offers.command.ts';
import { rankCommand } from '../../prices/rankings/rank.command.ts';
import { rebuildCommand } from '../../prices/statistics/rebuild.command.ts';
import { trendsCommand } from '../../prices/trends/trends.command.ts';
import { waitOrRentCommand } from '../../prices/wait/wait-or-rent.command.ts';
import { actionsCommand, auditCommand } from '../../rentals/actions.command.ts';
import {
  bidCommand,
  destroyCommand,
  labelCommand,
  startInstanceCommand,
  stopCommand,
} from '../../rentals/instances/instance-changes.command.ts';
import { instancesCommand } from '../../rentals/instances/instances.command.ts';
import { extendCommand, limitsCommand } from '../../rentals/instances/limits.command.ts';
import { sshCommand } from '../../rentals/instances/ssh.command.ts';
import { rentCommand } from '../../rentals/rent/rent.command.ts';
import { templatesCommand } from '../../rentals/templates/templates.command.ts';
import { volumesCommand } from '../../rentals/volumes/volumes.command.ts';
import { budgetCommand } from '../../spend/budgets/budget.command.ts';
import { spendCommand } from '../../spend/spend.command.ts';
import { channelCommand } from '../../watches/channels/channel.command.ts';
import { reportCommand } from '../../watches/reports/report.command.ts';
import { ruleCommand } from '../../watches/rules/rule.command.ts';
import { watchCommand } from '../../watches/watch.command.ts';
import { deleteCommand } from '../deletion/delete.command.ts';
import { exportCommand } from '../exports/export.command.ts';
import { lakeCommand } from '../lake/lake.command.ts';
import { mcpCommand } from '../mcp/mcp.command.ts';
import type { ServiceContext } from '../service-context.ts';
import { tokenCommand } from '../sign-in/token.command.ts';
import { backupCommand } from './backup.command.ts';
import { completionCommand } from './completion.command.ts';
import { configCommand } from './config.command.ts';
import { crawlCommand } from './crawl.command.ts';
import { doctorCommand } from './doctor.command.ts';
import { migrateCommand } from './migrate.command.ts';
import { restoreCommand } from './restore.command.ts';
import { simulateCommand } from './simulate.command.ts';
import { startCommand } from './start.command.ts';
import { statusCommand } from './status.command.ts';
import { upgradeCommand } from './upgrade.command.ts';

type MakeCommand = (context: ServiceContext) => Command;

/** All commands by group, in the order of the help. */
export const commandGroups: Readonly<Record<string, readonly MakeCommand[]>> = {
  Explore: [modelsCommand, rankCommand, offersCommand, trendsCommand, forecastCommand, waitOrRentCommand],
  Watch: [watchCommand, reportCommand, ruleCommand, channelCommand],
  Rent: [
    rentCommand,
    orderCommand,
    instancesCommand,
    sshCommand,
    stopCommand,
    startInstanceCommand,
    destroyCommand,
    bidCommand,
    labelCommand,
    limitsCommand,
    extendCommand,
    templatesCommand,
    volumesCommand,
    actionsCommand,
    auditCommand,
  ],
  Spend: [spendCommand, budgetCommand, exportCommand, lakeCommand],
  Operate: [
    startCommand,
    statusCommand,
    mcpCommand,
    crawlCommand,
    crawlsCommand,
    importCommand,
    catalogsCommand,
    deleteCommand,
    seedCommand,
    rebuildCommand,
    backupCommand,
    restoreCommand,
    migrateCommand,
    upgradeCommand,
    configCommand,
    doctorCommand,
    tokenCommand,
    simulateCommand,
    completionCommand,
  ],
};
