import { Command } from 'commander';
import { uuidv7 } from 'uuidv7';
import { type PollOutcome, pollInstances } from '../crawl/instances.ts';
import { polledInstances } from '../db/account-metrics.ts';
import type { CommandContext } from './context.ts';
import { exitCodes } from './context.ts';
import { formatTable } from './table.ts';

/** The subcommand `instances` of `offerbook crawl`. */
export function instancesCrawl(context: CommandContext): Command {
  return new Command('instances')
    .description("list the account's instances now and keep what has changed")
    .option('--json', 'answer in JSON')
    .addHelpText('after', '\nExample:\n  offerbook crawl instances')
    .action(async ({ json }: { json?: true }) => {
      await context.withRuntime(async (runtime) => {
        const { sql, log, now } = runtime;
        const { id: marketId } = await runtime.crawledMarket();
        const client = await runtime.crawlClient('person');
        const runId = uuidv7();
        const ask = { runId, cause: 'command', signal: context.signal } as const;
        const outcome = await pollInstances({ sql, client, marketId, log, now }, ask);
        const polled = await polledInstances(sql, marketId);
        const statuses = polled?.statuses ?? [];
        if (json) context.print(JSON.stringify({ ...summary(runId, outcome), statuses }));
        else printOutcome(context, outcome, statuses);
        if (outcome.kind === 'failed') context.exitWith(exitCodes.failed);
        if (outcome.kind === 'polled' && outcome.unidentified > 0) context.exitWith(exitCodes.partial);
      });
    });
}

type Statuses = { status: string | null; instances: number }[];

function printOutcome(context: CommandContext, outcome: PollOutcome, statuses: Statuses): void {
  if (outcome.kind === 'failed') {
    context.note(`instances: ${outcome.reason}`);
    return;
  }
  if (statuses.length === 0) context.print('The account has no instances.');
  else {
    const rows = statuses.map(({ status, instances }) => [status ?? 'being provisioned', instances]);
    context.print(formatTable(['status', 'instances'], rows, [1]));
  }
  if (outcome.kind === 'superseded') context.note('instances: another process has listed them meanwhile');
  else {
    const { changes, gone, unidentified } = outcome;
    context.print(`${changes} with a new status, ${gone} gone.`);
    if (unidentified > 0) {
      context.note(`instances: ${unidentified} could not be identified: none was taken for gone`);
    }
  }
}

const summary = (runId: string, outcome: PollOutcome) => {
  const polled = outcome.kind === 'polled' ? outcome : null;
  return {
    runId,
    outcome: outcome.kind,
    reason: outcome.kind === 'failed' ? outcome.reason : null,
    instances: polled?.instances ?? null,
    changes: polled?.changes ?? null,
    gone: polled?.gone ?? null,
    unidentified: polled?.unidentified ?? null,
  };
};
