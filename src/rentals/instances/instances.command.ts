import { Command } from 'commander';
import type { CommandContext } from '../../core/terminal/command-context.ts';
import { formatTable } from '../../core/terminal/table.ts';
import { minuteWords } from '../../core/time-words.ts';
import { dollars, listInstances } from '../acting-options.ts';
import { renterWords, stateWords } from '../state-words.ts';
import type { LedgerInstanceAnswer } from './ledger-answer.ts';
import { endingLines } from './limits.command.ts';

/** `offerbook instances`. */
export function instancesCommand(context: CommandContext): Command {
  return new Command('instances')
    .description('list the instances of the account with state and cost')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook instances')
    .action(async ({ json }: { json?: true }) => {
      await context.withApi(async (api) => {
        const items = await listInstances(api);
        if (json) {
          context.print(JSON.stringify({ items }));
          return;
        }
        const head = [
          'Id',
          'Label',
          'State',
          'GPUs',
          '$/hour',
          '$/day stopped',
          'Cost so far',
          'Rented by',
          'Ends',
        ];
        const rows = items.map((item) => [
          ...[String(item.instanceId ?? '?'), item.label ?? '', stateWords(item.state)],
          ...[`${item.numGpus ?? '?'} × ${item.gpuName ?? '?'}`, dollars(item.usdPerHour)],
          ...[dollars(item.stoppedUsdPerDay), costWords(item.cost), renterWords(item.rentedBy)],
          item.endsAt === null ? '' : `${item.endAction} ${minuteWords(item.endsAt)}`,
        ]);
        if (items.length === 0) return context.print('No instances: `offerbook rent` rents one.');
        context.print(formatTable(head, rows, [4, 5, 6]));
        for (const item of items) {
          const { instanceId, idle, cheaper, failedStartAt, state, machineId } = item;
          for (const warning of endingLines(item)) context.note(warning);
          if (idle === true) context.note(`Instance ${instanceId} has been idle for an hour.`);
          if (cheaper !== null) {
            context.note(
              `Instance ${instanceId}: offer ${cheaper.offerId} is equivalent and saves ${dollars(cheaper.savesUsdPerDay)} a day.`,
            );
          }
          if (failedStartAt !== null && state === 'start-failed') {
            context.note(
              `Instance ${instanceId} failed to start: \`offerbook destroy ${instanceId} --block machine\` (or host) also keeps machine ${machineId} out of rankings, watches and rents.`,
            );
          }
        }
      });
    });
}

/** Returns the cost; if a rate was unknown a lower bound, or unknown. */
function costWords({ usd, isLowerBound }: LedgerInstanceAnswer['cost']): string {
  if (!isLowerBound) return dollars(usd);
  return Number(usd) === 0 ? 'unknown' : `${dollars(usd)} or more`;
}
