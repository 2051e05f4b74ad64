import { Argument, Command } from 'commander';
import { type CommandContext, exitCodes } from '../core/terminal/command-context.ts';
import { wholeFrom } from '../core/terminal/numbers.ts';
import { formatTable } from '../core/terminal/table.ts';
import { minuteWords } from '../core/time-words.ts';

/** `offerbook actions`. */
export function actionsCommand(context: CommandContext): Command {
  return new Command('actions')
    .description('turn new rentals on or off in every process; without an argument, show the state')
    .addArgument(new Argument('[state]', 'off or on').choices(['on', 'off']))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook actions off')
    .action(async (state: 'on' | 'off' | undefined, { json }: { json?: true }) => {
      await context.withApi(async (api) => {
        const stands =
          state === undefined
            ? await api.getActions()
            : await api.switchActions({ body: { enabled: state === 'on' } });
        const setting = stands.setting ? '' : ' by the setting ACTIONS';
        const word = stands.enabled ? 'New rentals are on.' : `New rentals are off${setting}.`;
        context.print(json ? JSON.stringify(stands) : `${word} Stopping and destroying is always possible.`);
      });
    });
}

/** `offerbook audit`. */
export function auditCommand(context: CommandContext): Command {
  const command = new Command('audit')
    .description('read and check the log of sign-ins, tokens and changes to the account')
    .addHelpText('after', '\nExample:\n  offerbook audit list --action sign-in');
  command.addCommand(listEntries(context));
  command.addCommand(
    new Command('verify')
      .description('verify the hash chain of the audit log')
      .option('--head <hash>', 'hash of an earlier check, to find entries removed since')
      .option('--json', 'print JSON')
      .addHelpText('after', '\nExample:\n  offerbook audit verify')
      .action(async ({ head, json }: { head?: string; json?: true }) => {
        await context.withApi(async (api) => {
          const verdict = await api.verifyAuditLog({ head });
          const { entries, problem } = verdict;
          const intact =
            verdict.head === null
              ? 'The audit log is empty.'
              : `All ${entries} entries are intact. Head: ${verdict.head}. Store it elsewhere; --head with it shows later whether an entry was removed.`;
          const line = problem === null ? intact : `Entry ${problem.seq}: ${problem.what}.`;
          context.print(json ? JSON.stringify(verdict) : line);
          if (problem !== null) context.exitWith(exitCodes.failed);
        });
      }),
  );
  return command;
}

function listEntries(context: CommandContext): Command {
  return new Command('list')
    .description('list the newest entries of the audit log')
    .option('--action <names...>', 'only these actions, such as sign-in or create-token')
    .option('--limit <entries>', 'maximum number of entries, up to 1000', wholeFrom(1), 50)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook audit list --action sign-in sign-out')
    .action(async ({ action, limit, json }: { action?: string[]; limit: number; json?: true }) => {
      await context.withApi(async (api) => {
        const { items } = await api.listAuditEntries({ action, limit, order: 'desc' });
        const rows = items.map((entry) => [
          minuteWords(entry.at),
          entry.actor,
          entry.phase === 'refused' ? `${entry.action} (refused)` : entry.action,
          entry.instanceId === null ? '' : String(entry.instanceId),
          JSON.stringify(entry.detail),
        ]);
        context.print(
          json
            ? JSON.stringify({ entries: items })
            : formatTable(['At', 'Who', 'Action', 'Instance', 'Detail'], rows),
        );
      });
    });
}
