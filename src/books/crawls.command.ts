import { Argument, Command } from 'commander';
import { UsageError } from '../core/errors.ts';
import { orNull } from '../core/terminal/api.ts';
import type { CommandContext } from '../core/terminal/command-context.ts';
import { marketOption } from '../core/terminal/market-option.ts';
import { formatFacts, formatTable } from '../core/terminal/table.ts';
import { timeWords } from '../core/time-words.ts';
import type { CrawlAnswer } from './crawls.routes.ts';

interface CrawlsOptions {
  limit?: string;
  market?: string[];
  json?: true;
}

/** `offerbook crawls`. */
export function crawlsCommand(context: CommandContext): Command {
  return new Command('crawls')
    .description('list crawls, newest first, or explain one')
    .addArgument(new Argument('[id]', 'id of the crawl to explain'))
    .option('--limit <crawls>', 'maximum number (default: 20)')
    .addOption(marketOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook crawls --limit 5')
    .action(async (id: string | undefined, { limit = '20', market, json }: CrawlsOptions) => {
      await context.withApi(async (api) => {
        if (id !== undefined) {
          const crawl = await orNull(api.getCrawl({ id }));
          if (crawl === null)
            throw new UsageError(`No crawl has the id ${id}: \`offerbook crawls\` lists all.`);
          context.print(json ? JSON.stringify(crawl) : describeCrawl(crawl, new Date()));
          return;
        }
        const answer = await api.listCrawls({ limit, market });
        context.print(json ? JSON.stringify(answer) : describeCrawls(answer.items, new Date()));
      });
    });
}

const outcomeWords = ({ state, outcome }: CrawlAnswer): string => outcome ?? state;

function describeCrawls(items: readonly CrawlAnswer[], now: Date): string {
  if (items.length === 0) return 'No crawl yet.';
  const isPlural = items.some(({ market }) => market !== undefined);
  const rows = items.map((crawl) => [
    ...(isPlural ? [crawl.market ?? ''] : []),
    ...[crawl.startedAt === null ? 'waiting' : timeWords(crawl.startedAt, now), crawl.kind, crawl.type ?? ''],
    ...[outcomeWords(crawl), crawl.book?.offers ?? '', crawl.reason ?? '', crawl.id],
  ]);
  const head = ['Started', 'Kind', 'Type', 'Outcome', 'Offers', 'Reason', 'Id'];
  return isPlural ? formatTable(['Market', ...head], rows, [5]) : formatTable(head, rows, [4]);
}

function describeCrawl(crawl: CrawlAnswer, now: Date): string {
  const { kind, scope, type, cause, startedAt, endedAt, reason, book, explanation } = crawl;
  const when = (at: string | null): string => (at === null ? '' : timeWords(at, now));
  const rows: [string, string][] = [
    ['Crawl', crawl.id],
    ['Kind', kind],
    ['Scope', scope],
    ['Type', type ?? ''],
    ['Cause', cause],
    ['Started', when(startedAt)],
    ['Ended', when(endedAt)],
    ['Outcome', outcomeWords(crawl)],
    ['Reason', reason ?? ''],
    ['Book', book === null ? '' : `${book.id}: ${book.offers} offers, ${book.verdict}`],
  ];
  return [formatFacts(rows.filter(([, value]) => value !== '')), ...explanation].join('\n');
}
