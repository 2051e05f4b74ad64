import { Command } from 'commander';
import { uuidv7 } from 'uuidv7';
import { type BillingOutcome, crawlBilling } from '../crawl/billing.ts';
import { type BillingKind, billingNames } from '../domain/billing.ts';
import { UserError } from '../domain/errors.ts';
import type { Runtime } from '../runtime.ts';
import type { CommandContext } from './context.ts';
import { exitCodes } from './context.ts';
import { createProgress } from './progress.ts';
import { formatTable } from './table.ts';

const subjects: Record<BillingKind, string> = {
  invoice: 'payments, transfers, refunds and payouts',
  charge: 'what instances and volumes cost',
};

/** The subcommands `invoices` and `charges` of `offerbook crawl`. */
export function billingCrawls(context: CommandContext): Command[] {
  return (['invoice', 'charge'] as const).map((kind) => {
    const name = billingNames[kind];
    return new Command(name)
      .description(`read ${subjects[kind]}: all of them the first time, then what may have changed`)
      .option('--all', 'the whole history again')
      .option('--json', 'answer in JSON')
      .addHelpText('after', `\nExample:\n  offerbook crawl ${name}`)
      .action(async ({ all, json }: { all?: true; json?: true }) => {
        await context.withRuntime(async (runtime) => {
          const outcome = await readBills(context, runtime, kind, all === true);
          if (json) context.print(JSON.stringify(summary(outcome)));
          else printOutcome(context, outcome);
          if (outcome.kind === 'failed') context.exitWith(exitCodes.failed);
          if (outcome.kind === 'partial') context.exitWith(exitCodes.partial);
        });
      });
  });
}

async function readBills(
  context: CommandContext,
  { sql, log, now, defaultMarket, crawlClient }: Runtime,
  kind: BillingKind,
  all: boolean,
): Promise<BillingOutcome> {
  const { id: marketId, kind: marketKind, name } = await defaultMarket();
  if (marketKind === 'recorded') {
    throw new UserError(`The market ${name} is recorded and has no account: set MARKET_URL for a live one.`);
  }
  const client = await crawlClient('person');
  const progress = createProgress(context, billingNames[kind]);
  try {
    return await crawlBilling(
      { sql, client, marketId, log, now, newId: uuidv7 },
      {
        ...{
          runId: uuidv7(),
          kind,
          cause: 'command',
          tickAt: null,
          jobId: null,
          all,
          signal: context.signal,
        },
        onProgress: (done, total) => progress.update(done, Math.max(done, total ?? 0)),
      },
    );
  } finally {
    progress.stop();
  }
}

function printOutcome(context: CommandContext, outcome: BillingOutcome): void {
  const name = billingNames[outcome.of];
  if (outcome.kind === 'absent') context.print(outcome.reason);
  if (!('certificate' in outcome)) return;
  const { kept, pages, durationMs } = outcome.certificate;
  const figures = kept ?? { entries: 0, added: 0, changed: 0, disappeared: 0 };
  const { entries, added, changed, disappeared } = figures;
  const seconds = (durationMs / 1_000).toFixed(1);
  const head = [name, 'entries', 'new', 'changed', 'disappeared', 'pages', 'seconds'];
  const row = [outcome.kind, entries, added, changed, disappeared, pages, seconds];
  context.print(formatTable(head, [row], [1, 2, 3, 4, 5, 6]));
  if (outcome.kind !== 'complete') context.note(`${name}: ${outcome.reason}`);
}

const summary = (outcome: BillingOutcome) => ({
  runId: outcome.runId,
  of: billingNames[outcome.of],
  outcome: outcome.kind,
  reason: 'reason' in outcome ? outcome.reason : null,
  certificate: 'certificate' in outcome ? outcome.certificate : null,
});
