import { Command } from 'commander';
import { uuidv7 } from 'uuidv7';
import type { BillingCertificate } from '../../books/billing-certificate.ts';
import type { BooksRuntime } from '../../books/books-runtime.ts';
import { crawlOnServer } from '../../books/crawl/server-crawls.ts';
import type { CrawlAnswer } from '../../books/crawls.routes.ts';
import { UserError } from '../../core/errors.ts';
import type { CommandContext } from '../../core/terminal/command-context.ts';
import { exitCodes } from '../../core/terminal/command-context.ts';
import { createProgress } from '../../core/terminal/progress.ts';
import { formatTable } from '../../core/terminal/table.ts';
import { type BillingKind, billingNames } from './bill.ts';
import type { BillingOutcome } from './crawl-bills.ts';

const subjects: Record<BillingKind, string> = {
  invoice: 'payments, transfers, refunds and payouts',
  charge: 'what instances and volumes cost',
};

/** The subcommands `invoices` and `charges` of `offerbook crawl`. */
export function billingCrawls(context: CommandContext<BooksRuntime>): Command[] {
  return (['invoice', 'charge'] as const).map((kind) => {
    const name = billingNames[kind];
    return new Command(name)
      .description(`read ${subjects[kind]}: all of them the first time, then what may have changed`)
      .option('--all', 'read the whole history again')
      .option('--json', 'print JSON')
      .addHelpText('after', `\nExample:\n  offerbook crawl ${name}`)
      .action(async ({ all, json }: { all?: true; json?: true }) => {
        const tell = (read: BillsSummary): void => {
          if (json) context.print(JSON.stringify(read));
          else printOutcome(context, read);
          if (read.outcome === 'failed') context.exitWith(exitCodes.failed);
          if (read.outcome === 'partial') context.exitWith(exitCodes.partial);
        };
        if (context.config().serverUrl !== null) {
          await crawlOnServer(context, { kind: name, ...(all ? { all } : {}) }, async (crawls) => {
            for (const crawl of crawls) tell(answerSummary(crawl, name));
          });
          return;
        }
        await context.withRuntime(
          async (runtime) => tell(summary(await readBills(context, runtime, kind, all === true))),
          { begins: true },
        );
      });
  });
}

async function readBills(
  context: CommandContext,
  { sql, log, now, defaultMarket, crawledMarket, marketFor, askAgain }: BooksRuntime,
  kind: BillingKind,
  all: boolean,
): Promise<BillingOutcome> {
  const { kind: marketKind, name } = await defaultMarket();
  if (marketKind === 'recorded') {
    throw new UserError(`The market ${name} is recorded and has no account: set MARKET_URL for a live one.`);
  }
  const { id: marketId } = await crawledMarket();
  const { bills } = await marketFor('person');
  const { crawlBilling } = await import('./crawl-bills.ts');
  const progress = createProgress(context, billingNames[kind]);
  try {
    return await crawlBilling(
      { sql, bills, askAgain, marketId, log, now, newId: uuidv7 },
      {
        crawlId: uuidv7(),
        kind,
        cause: 'command',
        tickAt: null,
        jobId: null,
        all,
        signal: context.signal,
        onProgress: (done, total) => progress.update(done, Math.max(done, total ?? 0)),
      },
    );
  } finally {
    progress.stop();
  }
}

/** An ended sync, by any process. */
interface BillsSummary {
  crawlId: string;
  of: (typeof billingNames)[BillingKind];
  outcome: string | null;
  reason: string | null;
  certificate: BillingCertificate | null;
}

function printOutcome(
  context: CommandContext,
  { of: name, outcome, reason, certificate }: BillsSummary,
): void {
  if (outcome === 'absent' && reason !== null) context.print(reason);
  if (certificate === null) return;
  const { kept, pages, durationMs } = certificate;
  const figures = kept ?? { entries: 0, added: 0, changed: 0, disappeared: 0 };
  const { entries, added, changed, disappeared } = figures;
  const seconds = (durationMs / 1_000).toFixed(1);
  const head = [name, 'Entries', 'New', 'Changed', 'Disappeared', 'Pages', 'Seconds'];
  const row = [outcome ?? '', entries, added, changed, disappeared, pages, seconds];
  context.print(formatTable(head, [row], [1, 2, 3, 4, 5, 6]));
  if (reason !== null) context.note(`${name}: ${reason}`);
}

const summary = (outcome: BillingOutcome): BillsSummary => ({
  crawlId: outcome.crawlId,
  of: billingNames[outcome.of],
  outcome: outcome.kind,
  reason: 'reason' in outcome ? outcome.reason : null,
  certificate: 'certificate' in outcome ? outcome.certificate : null,
});

const answerSummary = (
  { id, outcome, reason, certificate }: CrawlAnswer,
  name: BillsSummary['of'],
): BillsSummary => ({
  crawlId: id,
  of: name,
  outcome,
  reason,
  certificate: certificate as BillingCertificate | null,
});
