import { Command, Option } from 'commander';
import type { CrawlOutcome } from '../crawl/offers.ts';
import { type PricingType, pricingTypes } from '../domain/offer.ts';
import { crawledTypes } from '../runtime.ts';
import type { CommandContext } from './context.ts';
import { exitCodes } from './context.ts';
import { formatTable } from './table.ts';

export function crawlCommand(context: CommandContext): Command {
  const command = new Command('crawl').description('read the market now');
  command
    .command('offers')
    .description('store a book of offers of each pricing type')
    .addOption(new Option('--type <type>', 'one pricing type only').choices(pricingTypes))
    .option('--json', 'answer in JSON')
    .addHelpText('after', '\nExample:\n  offerbook crawl offers --type bid')
    .action(async ({ type, json }: { type?: PricingType; json?: true }) => {
      await context.withRuntime(async (runtime) => {
        const types = type === undefined ? crawledTypes : [type];
        const crawl = await runtime.crawl({ types, cause: 'command', signal: context.signal });
        const outcomes = await crawl.done;
        if (json) context.print(JSON.stringify({ crawls: outcomes.map(summary) }));
        else printOutcomes(context, outcomes);
        if (outcomes.some(({ kind }) => kind === 'failed')) context.exitWith(exitCodes.failed);
        else if (outcomes.some((outcome) => outcome.kind === 'partial' || rejectedRows(outcome) > 0)) {
          context.exitWith(exitCodes.partial);
        }
      });
    });
  return command;
}

function printOutcomes(context: CommandContext, outcomes: CrawlOutcome[]): void {
  const rows = outcomes.map((outcome) => {
    const { type, kind, certificate } = outcome;
    const seconds = (certificate.durationMs / 1000).toFixed(1);
    return [type, kind, certificate.accepted, rejectedRows(outcome), certificate.pages, seconds];
  });
  context.print(formatTable(['type', 'book', 'offers', 'rejected', 'pages', 'seconds'], rows, [2, 3, 4, 5]));
  for (const outcome of outcomes) {
    if (outcome.kind !== 'complete') context.note(`${outcome.type}: ${outcome.reason}`);
  }
}

const rejectedRows = ({ certificate }: CrawlOutcome): number =>
  Object.values(certificate.rejected).reduce((sum, count) => sum + count, 0);

const summary = (outcome: CrawlOutcome) => ({
  runId: outcome.runId,
  type: outcome.type,
  outcome: outcome.kind,
  reason: outcome.kind === 'complete' ? null : outcome.reason,
  bookId: outcome.kind === 'failed' ? null : String(outcome.bookId),
  certificate: outcome.certificate,
});
