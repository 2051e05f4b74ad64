import { Command, Option } from 'commander';
import type { CommandContext } from '../../core/terminal/command-context.ts';
import { findByName } from '../../core/terminal/find-by-name.ts';
import { noteUnsent } from '../channels/note-unsent.ts';
import type { WatchReportAnswer } from './watch-reports.routes.ts';

const formats = ['text', 'md', 'html', 'csv', 'json'] as const;

interface ReportOptions {
  send?: true;
  format?: (typeof formats)[number];
  market?: string;
  json?: true;
}

export function reportCommand(context: CommandContext): Command {
  return new Command('report')
    .description('print the report of a watch, or send it')
    .argument('<watch>', 'name or id')
    .option('--send', 'send it to the channels of the watch, even if the data is old')
    .addOption(new Option('--format <format>', 'format (default: text)').choices(formats))
    .option('--market <name>', 'market in which to look the name up (default: the configured one)')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook report "two cards" --format md')
    .action(async (which: string, { send, format, market, json }: ReportOptions) => {
      await context.withApi(async (api) => {
        const { id } = await findByName('watch', which, (page) =>
          api.listWatches({ market: market === undefined ? undefined : [market], ...page }),
        );
        if (send === true) {
          const { deliveries, report } = await api.createWatchReport({ id, body: { send: true } });
          const words = `The report goes to ${deliveries} ${deliveries === 1 ? 'channel' : 'channels'}.`;
          context.print(json === true ? JSON.stringify({ deliveries, report }) : words);
          const { items } = await api.listDeliveries({ limit: '200' });
          const own = items.filter(({ watchId, createdAt }) => watchId === id && createdAt === report.at);
          await noteUnsent(context, api, own);
          return;
        }
        const wanted = json === true ? 'json' : (format ?? 'text');
        // Text, in any other format than JSON.
        const answer = (await api.createWatchReport({ id, body: { format: wanted } })) as
          | WatchReportAnswer
          | string;
        context.print(typeof answer === 'string' ? answer.replace(/\n$/, '') : JSON.stringify(answer.report));
      });
    });
}
