import { Command, Option } from 'commander';
import type { CoverageCertificate } from '../core/coverage.ts';
import { type PricingType, pricingTypes } from '../core/offer.ts';
import type { CommandContext } from '../core/terminal/command-context.ts';
import { exitCodes } from '../core/terminal/command-context.ts';
import { formatTable } from '../core/terminal/table.ts';
import type { BooksRuntime } from './books-runtime.ts';
import { explainCertificate } from './coverage-words.ts';
import type { CrawlOutcome } from './crawl/offers-crawler.ts';
import { crawlOnServer } from './crawl/server-crawls.ts';
import type { CrawlAnswer } from './crawls.routes.ts';

interface CrawlArguments {
  market?: string;
  type?: PricingType;
  json?: true;
  explain?: true;
}

/** The subcommand `offers` of `offerbook crawl`. */
export function offersCrawl(context: CommandContext<BooksRuntime>): Command {
  return new Command('offers')
    .description('read all offers and store one book (a complete snapshot) per pricing type')
    .addOption(new Option('--type <type>', 'only this pricing type').choices(pricingTypes))
    .option('--market <name>', 'market to crawl, of those that the settings name (default: the first)')
    .option('--explain', 'explain what was requested, what came back and what may be missing')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook crawl offers --type bid --explain')
    .action(async ({ market, type, json, explain }: CrawlArguments) => {
      const tell = (crawls: CrawlSummary[]): void => {
        if (json) context.print(JSON.stringify({ crawls }));
        else printOutcomes(context, crawls);
        if (explain && !json) for (const crawl of crawls) printExplanation(context, crawl);
        if (crawls.some(({ outcome }) => outcome === 'failed')) context.exitWith(exitCodes.failed);
        else if (crawls.some((crawl) => crawl.outcome === 'partial' || rejectedRows(crawl) > 0)) {
          context.exitWith(exitCodes.partial);
        }
      };
      if (context.config().serverUrl !== null) {
        await crawlOnServer(context, { kind: 'offers', market, type }, async (crawls) =>
          tell(crawls.map(answerSummary)),
        );
        return;
      }
      await context.withRuntime(
        async (runtime) => tell((await runtime.crawl({ market, type, signal: context.signal })).map(summary)),
        { begins: true },
      );
    });
}

/** A crawl that has ended, in any process. */
interface CrawlSummary {
  crawlId: string;
  type: string | null;
  outcome: string | null;
  reason: string | null;
  bookId: string | null;
  certificate: CoverageCertificate | null;
  explanation: string[];
}

function printOutcomes(context: CommandContext, crawls: readonly CrawlSummary[]): void {
  const rows = crawls.map((crawl) => {
    const { type, outcome, certificate } = crawl;
    const { accepted = 0, pages = 0, durationMs = 0 } = certificate ?? {};
    return [type ?? '', outcome ?? '', accepted, rejectedRows(crawl), pages, (durationMs / 1000).toFixed(1)];
  });
  context.print(formatTable(['Type', 'Book', 'Offers', 'Rejected', 'Pages', 'Seconds'], rows, [2, 3, 4, 5]));
  for (const { type, reason } of crawls) if (reason !== null) context.note(`${type}: ${reason}`);
}

function printExplanation(context: CommandContext, { type, explanation }: CrawlSummary): void {
  context.print(`\n${type}:`);
  for (const sentence of explanation) context.print(`  ${sentence}`);
}

const rejectedRows = ({ certificate }: CrawlSummary): number =>
  Object.values(certificate?.rejected ?? {}).reduce((sum, count) => sum + count, 0);

const summary = (outcome: CrawlOutcome): CrawlSummary => {
  const { crawlId, type, certificate } = outcome;
  const reason = outcome.kind === 'complete' ? null : outcome.reason;
  return {
    crawlId,
    type,
    outcome: outcome.kind,
    reason,
    certificate,
    bookId: outcome.kind === 'failed' ? null : String(outcome.bookId),
    explanation: explainCertificate({
      type,
      scope: outcome.scope.name,
      outcome: outcome.kind,
      reason,
      certificate,
    }),
  };
};

const answerSummary = ({
  id,
  type,
  outcome,
  reason,
  book,
  certificate,
  explanation,
}: CrawlAnswer): CrawlSummary => ({
  crawlId: id,
  type,
  outcome,
  reason,
  bookId: book?.id ?? null,
  explanation,
  certificate: certificate as CoverageCertificate | null,
});
