import { Command, Option } from 'commander';
import type { CrawlOutcome } from '../crawl/offers-crawler.ts';
import { explainCertificate } from '../domain/coverage-words.ts';
import { type PricingType, pricingTypes } from '../domain/offer.ts';
import { crawledTypes } from '../schedules.ts';
import type { CommandContext } from './context.ts';
import { exitCodes } from './context.ts';
import { billingCrawls } from './crawl-billing.ts';
import { instancesCrawl } from './crawl-instances.ts';
import { formatTable } from './table.ts';

export function crawlCommand(context: CommandContext): Command {
  const command = new Command('crawl').description('read the market now');
  command
    .command('offers')
    .description('store a book of offers of each pricing type')
    .addOption(new Option('--type <type>', 'one pricing type only').choices(pricingTypes))
    .option('--explain', 'say in words what was asked for, what came and what may be missing')
    .option('--json', 'answer in JSON')
    .addHelpText('after', '\nExample:\n  offerbook crawl offers --type bid --explain')
    .action(async ({ type, json, explain }: { type?: PricingType; json?: true; explain?: true }) => {
      await context.withRuntime(async (runtime) => {
        const types = type === undefined ? crawledTypes : [type];
        const outcomes = await runtime.crawl({ types, signal: context.signal });
        if (json) context.print(JSON.stringify({ crawls: outcomes.map(summary) }));
        else printOutcomes(context, outcomes);
        if (explain && !json) for (const outcome of outcomes) printExplanation(context, outcome);
        if (outcomes.some(({ kind }) => kind === 'failed')) context.exitWith(exitCodes.failed);
        else if (outcomes.some((outcome) => outcome.kind === 'partial' || rejectedRows(outcome) > 0)) {
          context.exitWith(exitCodes.partial);
        }
      });
    });
  for (const crawl of billingCrawls(context)) command.addCommand(crawl);
  command.addCommand(instancesCrawl(context));
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

function printExplanation(context: CommandContext, outcome: CrawlOutcome): void {
  context.print(`\n${outcome.type}:`);
  for (const sentence of explain(outcome)) context.print(`  ${sentence}`);
}

const explain = (outcome: CrawlOutcome): string[] =>
  explainCertificate({
    type: outcome.type,
    scope: outcome.scope.name,
    outcome: outcome.kind,
    reason: outcome.kind === 'complete' ? null : outcome.reason,
    certificate: outcome.certificate,
  });

const rejectedRows = ({ certificate }: CrawlOutcome): number =>
  Object.values(certificate.rejected).reduce((sum, count) => sum + count, 0);

const summary = (outcome: CrawlOutcome) => ({
  runId: outcome.runId,
  type: outcome.type,
  outcome: outcome.kind,
  reason: outcome.kind === 'complete' ? null : outcome.reason,
  bookId: outcome.kind === 'failed' ? null : String(outcome.bookId),
  certificate: outcome.certificate,
  explanation: explain(outcome),
});
