import { Command } from 'commander';
import type { CommandContext } from '../../core/terminal/command-context.ts';
import { minuteWords } from '../../core/time-words.ts';
import { noteUnsent } from './note-unsent.ts';
import type { ReplayAnswer } from './replay.routes.ts';
import { withChannel } from './with-channel.ts';

interface ReplayOptions {
  day?: string;
  from?: string;
  to?: string;
  timeZone?: string;
  dryRun?: true;
  json?: true;
}

export function replayCommand(context: CommandContext): Command {
  return new Command('replay')
    .description('send the deliveries of a day again to a webhook, with the same ids and marked as replays')
    .argument('<channel>', 'name or id')
    .option('--day <date>', 'all deliveries of this day')
    .option('--from <time>', 'start, a time with its zone or a date; with --to instead of --day')
    .option('--to <time>', 'end, exclusive')
    .option('--time-zone <zone>', 'time zone of dates (default: UTC)')
    .option('--dry-run', 'only count')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook channel replay hook --day 2026-07-20 --dry-run')
    .action(async (which: string, { json, dryRun, ...range }: ReplayOptions) => {
      await withChannel(context, which, async (api, { id, name }) => {
        const answer = await api.replayDeliveries({ id, body: { ...range, dryRun: dryRun === true } });
        context.print(json === true ? JSON.stringify(answer) : answerWords(name, answer));
        if (answer.dryRun || answer.queued === 0) return;
        const { items } = await api.listDeliveries({ channelId: id, limit: '200' });
        const [newest] = items
          .flatMap(({ replayedAt }) => replayedAt ?? [])
          .toSorted()
          .toReversed();
        const tried = items.filter(({ problem, replayedAt }) => problem !== null && replayedAt === newest);
        await noteUnsent(context, api, tried);
      });
    });
}

function answerWords(name: string, answer: ReplayAnswer): string {
  const { from, to, dryRun, deliveries, queued, alreadyQueued, justReplayed, deletedBefore } = answer;
  return [
    `${deliveries} deliveries to ${name} from ${minuteWords(from)} to ${minuteWords(to)}:`,
    `  ${queued} ${dryRun ? 'would be sent again' : 'are queued again, in their original order'}`,
    ...(alreadyQueued > 0 ? [`  ${alreadyQueued} wait to be sent anyway`] : []),
    ...(justReplayed > 0 ? [`  ${justReplayed} were sent again in the last minute`] : []),
    ...(deletedBefore === null
      ? []
      : [`Deliveries that ended before ${minuteWords(deletedBefore)} are no longer stored.`]),
  ].join('\n');
}
