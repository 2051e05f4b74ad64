import { Command } from 'commander';
import { uuidv7 } from 'uuidv7';
import type { BooksRuntime } from '../../books/books-runtime.ts';
import { crawlOnServer } from '../../books/crawl/server-crawls.ts';
import type { CrawlAnswer } from '../../books/crawls.routes.ts';
import type { Api } from '../../core/terminal/api.ts';
import type { CommandContext } from '../../core/terminal/command-context.ts';
import { exitCodes } from '../../core/terminal/command-context.ts';
import { formatTable } from '../../core/terminal/table.ts';
import { present } from '../market-capability.ts';
import type { PollOutcome } from './poll-instances.ts';

/** The subcommand `instances` of `offerbook crawl`. */
export function instancesCrawl(context: CommandContext<BooksRuntime>): Command {
  return new Command('instances')
    .description("list the account's instances and record what has changed")
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook crawl instances')
    .action(async ({ json }: { json?: true }) => {
      const tell = (poll: PollSummary, statuses: Statuses): void => {
        if (json) context.print(JSON.stringify({ ...poll, statuses }));
        else printPoll(context, poll, statuses);
        if (poll.outcome === 'failed') context.exitWith(exitCodes.failed);
        if (poll.outcome === 'partial' || (poll.unidentified ?? 0) > 0) context.exitWith(exitCodes.partial);
      };
      if (context.config().serverUrl !== null) {
        await crawlOnServer(context, { kind: 'instances' }, async ([crawl], api) => {
          if (crawl !== undefined) tell(answerSummary(crawl), await statusesOf(api));
        });
        return;
      }
      const poll = async (runtime: BooksRuntime): Promise<void> => {
        const { pollInstances } = await import('./poll-instances.ts');
        const { polledInstances } = await import('./account-metrics.sql.ts');
        const { sql, log, now, askAgain } = runtime;
        const { id: marketId } = await runtime.crawledMarket();
        const account = present((await runtime.marketFor('person')).account, 'list instances');
        const crawlId = uuidv7();
        const options = { crawlId, cause: 'command', signal: context.signal } as const;
        const outcome = await pollInstances({ sql, account, askAgain, marketId, log, now }, options);
        tell(summary(crawlId, outcome), (await polledInstances(sql, marketId))?.statuses ?? []);
      };
      await context.withRuntime(poll, { begins: true });
    });
}

type Statuses = { status: string | null; instances: number }[];

/** A finished poll, by any process; null: unknown here. */
interface PollSummary {
  crawlId: string;
  outcome: string | null;
  reason: string | null;
  instances: number | null;
  changes: number | null;
  gone: number | null;
  unidentified: number | null;
}

function printPoll(context: CommandContext, poll: PollSummary, statuses: Statuses): void {
  const { outcome, reason, changes, gone, unidentified } = poll;
  if (outcome === 'failed') {
    context.note(`instances: ${reason}`);
    return;
  }
  if (statuses.length === 0) context.print('The account has no instances.');
  else {
    const rows = statuses.map(({ status, instances }) => [status ?? 'being provisioned', instances]);
    context.print(formatTable(['Status', 'Instances'], rows, [1]));
  }
  if (outcome === 'superseded') context.note('instances: another process has listed them meanwhile');
  else if (reason !== null) context.note(`instances: ${reason}`);
  if (changes !== null) context.print(`${changes} with a new status, ${gone} gone.`);
  if (unidentified !== null && unidentified > 0) {
    context.note(`instances: ${unidentified} could not be identified: none was marked as gone`);
  }
}

const summary = (crawlId: string, outcome: PollOutcome): PollSummary => {
  const polled = outcome.kind === 'polled' ? outcome : null;
  return {
    crawlId,
    outcome: outcome.kind,
    reason: outcome.kind === 'failed' ? outcome.reason : null,
    instances: polled?.instances ?? null,
    changes: polled?.changes ?? null,
    gone: polled?.gone ?? null,
    unidentified: polled?.unidentified ?? null,
  };
};

const answerSummary = ({ id, outcome, reason }: CrawlAnswer): PollSummary => ({
  crawlId: id,
  outcome,
  reason,
  instances: null,
  changes: null,
  gone: null,
  unidentified: null,
});

async function statusesOf(api: Api): Promise<Statuses> {
  const { items } = await api.listInstances();
  const here = items.filter(({ instanceId, endedAt }) => instanceId !== null && endedAt === null);
  const counts = Map.groupBy(here, ({ actualStatus }) => actualStatus);
  return [...counts].map(([status, { length }]) => ({ status, instances: length }));
}
