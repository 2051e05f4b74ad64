import type { Command } from 'commander';
import { actionsCommand, auditCommand } from './actions.ts';
import { backupCommand } from './backup.ts';
import { budgetCommand } from './budget.ts';
import { channelCommand } from './channel.ts';
import type { CommandContext } from './context.ts';
import { crawlCommand } from './crawl.ts';
import { deleteCommand } from './delete.ts';
import { doctorCommand } from './doctor.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import {
  bidCommand,
  destroyCommand,
  labelCommand,
  startInstanceCommand,
  stopCommand,
} from './instance-changes.ts';
import { instancesCommand, sshCommand } from './instances.ts';
import { migrateCommand } from './migrate.ts';
import { offersCommand } from './offers.ts';
import { rankCommand } from './rank.ts';
import { rebuildCommand } from './rebuild.ts';
import { rentCommand } from './rent.ts';
import { reportCommand } from './report.ts';
import { restoreCommand } from './restore.ts';
import { ruleCommand } from './rule.ts';
import { seedCommand } from './seed.ts';
import { simulateCommand } from './simulate.ts';
import { spendCommand } from './spend.ts';
import { startCommand } from './start.ts';
import { templatesCommand } from './templates.ts';
import { tokenCommand } from './token.ts';
import { trendsCommand } from './trends.ts';
import { volumesCommand } from './volumes.ts';
import { watchCommand } from './watch.ts';

/** Every command, in the order of the help. */
export const commandRegistry: readonly ((context: CommandContext) => Command)[] = [
  startCommand,
  crawlCommand,
  importCommand,
  deleteCommand,
  seedCommand,
  rebuildCommand,
  migrateCommand,
  backupCommand,
  restoreCommand,
  trendsCommand,
  rankCommand,
  offersCommand,
  watchCommand,
  reportCommand,
  ruleCommand,
  channelCommand,
  spendCommand,
  exportCommand,
  budgetCommand,
  rentCommand,
  instancesCommand,
  sshCommand,
  stopCommand,
  startInstanceCommand,
  destroyCommand,
  bidCommand,
  labelCommand,
  actionsCommand,
  auditCommand,
  templatesCommand,
  volumesCommand,
  tokenCommand,
  doctorCommand,
  simulateCommand,
];
