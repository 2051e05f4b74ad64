import { basename } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { marketOption } from '../../core/terminal/market-option.ts';
import { formatTable } from '../../core/terminal/table.ts';
import { minuteWords } from '../../core/time-words.ts';
import type { ServiceContext } from '../service-context.ts';
import { olderThanDelete } from './delete-older.command.ts';
import type { BookAnswer, DeletedAnswer } from './stored-books.routes.ts';

interface DeleteArguments {
  confirm?: true;
  json?: true;
}

export function deleteCommand(context: ServiceContext): Command {
  const command = new Command('delete')
    .description('delete books; without --confirm, show what would be deleted')
    .addHelpText('after', '\nExample:\n  offerbook delete book');
  for (const make of [deleteBook, deleteImport, deleteMarket, olderThanDelete])
    command.addCommand(make(context));
  return command;
}

function deleteBook(context: ServiceContext): Command {
  return withOptions(new Command('book'))
    .description('delete books by id; without an id, list the newest books')
    .argument('[id...]', 'ids of books', readIds)
    .addOption(marketOption())
    .addHelpText('after', '\nExample:\n  offerbook delete book 42 --confirm')
    .action(async (ids: string[], { market, confirm, json }: DeleteArguments & { market?: string[] }) => {
      await context.withApi(async (api) => {
        if (ids.length === 0) {
          const page = await api.listBooks({ market, limit: 20 });
          const table = page.items.length === 0 ? 'No books yet.' : tableOf(page.items);
          context.print(json ? JSON.stringify({ books: page.items }) : table);
          return;
        }
        const answers: DeletedAnswer[] = [];
        for (const id of ids) answers.push(await api.deleteBook({ id, confirm: sure(confirm) }));
        tell(context, answers, json);
      });
    });
}

function deleteImport(context: ServiceContext): Command {
  return withOptions(new Command('import'))
    .description('delete the books that were imported from a file')
    .argument('<file>', 'name that the file had when it was imported')
    .option('--market <name>', 'market that the file was imported into')
    .addHelpText('after', '\nExample:\n  offerbook delete import 2026-07-20.jsonl.gz --confirm')
    .action(async (file: string, { market, confirm, json }: DeleteArguments & { market?: string }) => {
      await context.withApi(async (api) => {
        const given = { file: basename(file), market, confirm: sure(confirm) };
        tell(context, [await api.deleteImport(given)], json);
      });
    });
}

function deleteMarket(context: ServiceContext): Command {
  return withOptions(new Command('market'))
    .description('delete all books of a market')
    .argument('<name>', "the market's name")
    .addHelpText('after', '\nExample:\n  offerbook delete market recorded --confirm')
    .action(async (name: string, { confirm, json }: DeleteArguments) => {
      await context.withApi(async (api) => {
        tell(context, [await api.deleteMarket({ name, confirm: sure(confirm) })], json);
      });
    });
}

const withOptions = (command: Command): Command =>
  command.option('--confirm', 'really delete; without it nothing changes').option('--json', 'print JSON');

const sure = (confirm: true | undefined): string => String(confirm === true);

function tell(context: ServiceContext, answers: readonly DeletedAnswer[], json: true | undefined): void {
  if (json) {
    context.print(JSON.stringify({ deletions: answers }));
    return;
  }
  const items = answers.flatMap((answer) => answer.items);
  if (items.length > 0) context.print(tableOf(items));
  const books = answers.reduce((sum, answer) => sum + answer.books, 0);
  const offers = answers.reduce((sum, answer) => sum + answer.offers, 0);
  const what = `${books} ${books === 1 ? 'book' : 'books'} with ${offers} offers`;
  const isDone = answers.every(({ deleted }) => deleted);
  context.print(
    isDone
      ? `Deleted: ${what}. Ledger, audit log and sent alerts stay.`
      : `Would delete ${what}. Nothing was changed; add --confirm to delete. Ledger, audit log and sent alerts stay.`,
  );
}

const tableOf = (books: readonly BookAnswer[]): string =>
  formatTable(
    ['Book', 'Observed', 'Market', 'Scope', 'Type', 'Coverage', 'Offers'],
    books.map(({ id, observedAt, market, scope, type, verdict, offers }) => [
      id,
      minuteWords(observedAt),
      market,
      scope,
      type,
      verdict,
      offers,
    ]),
    [6],
  );

function readIds(value: string, before: string[] | undefined): string[] {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('expected the id of a book, like 42.');
  return [...(before ?? []), value];
}
