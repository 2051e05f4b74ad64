import { Command } from 'commander';
import type { CommandContext } from '../../core/terminal/command-context.ts';
import { formatFacts, formatTable } from '../../core/terminal/table.ts';
import { timeWords } from '../../core/time-words.ts';
import { noBook } from '../../prices/newest/price-options.ts';
import { backupWords } from '../backups/backup-words.ts';
import type { StatusAnswer } from '../http/status.routes.ts';

/** `offerbook status`. */
export function statusCommand(context: CommandContext): Command {
  return new Command('status')
    .description('show the market, the newest books, the last crawls and what is wrong')
    .option('--market <name>', 'market to read (default: the configured one)')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook status')
    .action(async ({ market, json }: { market?: string; json?: true }) => {
      await context.withApi(async (api) => {
        const status = await api.getStatus({ market });
        context.print(json ? JSON.stringify(status) : describeStatus(status, new Date()));
      });
    });
}

/** Formats a status for the terminal. */
export function describeStatus(status: StatusAnswer, now: Date): string {
  const { market, dataAgeMinutes, maxDataAgeMinutes, jobs, failedJobs, instances, newestBooks } = status;
  const ahead = status.markets.find((one) => one.market === market.name && one.state === 'book-ahead');
  const isOld = dataAgeMinutes !== null && dataAgeMinutes >= maxDataAgeMinutes;
  const running = (instances?.statuses ?? []).map(
    ({ status: name, instances: count }) => `${count} ${name ?? 'being provisioned'}`,
  );
  const { seeding } = status;
  const history: [string, string][] =
    seeding === null ? [] : [['First history', `being made: book ${seeding.done} of ${seeding.total}`]];
  const facts: [string, string][] = [
    ['Market', `${market.name} (${market.kind})`],
    ...history,
    [
      'Newest complete book',
      ahead !== undefined
        ? 'ahead of the clock'
        : dataAgeMinutes === null
          ? 'none'
          : `${dataAgeMinutes} min ago${isOld ? ' (too old)' : ''}`,
    ],
    ['New rentals', status.actions.enabled ? 'on' : 'off'],
    ['Instances', instances === null ? 'not polled yet' : running.join(', ') || 'none'],
    ['Backups', describeBackups(status.backups, now)],
    ['Jobs', `${jobs.queued} waiting, ${jobs.active} running, ${failedJobs} failed`],
  ];
  const books = newestBooks.map(({ type, observedAt, verdict, offers }) => [
    type,
    timeWords(observedAt, now),
    verdict,
    offers,
  ]);
  const crawls = status.lastCrawls.map(({ type, startedAt, outcome, reason }) => [
    timeWords(startedAt, now),
    type ?? '',
    outcome ?? 'running',
    reason ?? '',
  ]);
  return [
    formatFacts(facts),
    ...(ahead === undefined ? [] : [ahead.detail ?? '']),
    ...(status.markets.length > 1 ? [describeMarkets(status.markets)] : []),
    books.length === 0 ? noBook : formatTable(['Newest book', 'Observed', 'Coverage', 'Offers'], books, [3]),
    ...(status.typesWithoutIndex.length === 0
      ? []
      : [
          `The ${status.typesWithoutIndex.join(' and ')} books have no index, so no changes of prices: run \`offerbook rebuild\`.`,
        ]),
    ...(crawls.length === 0 ? [] : [formatTable(['Last crawls', 'Type', 'Outcome', 'Reason'], crawls)]),
  ].join('\n\n');
}

/** Returns a row per crawled market: its data age, and its last crawls without a complete book. */
function describeMarkets(markets: StatusAnswer['markets']): string {
  const rows = markets.map(({ market, state, lastCompleteBook, lastEnded }) => {
    const age = lastCompleteBook === null ? 'none' : `${lastCompleteBook.ageMinutes} min ago`;
    const failures = lastEnded.flatMap(({ type, outcome, reason }) =>
      outcome === 'failed' || outcome === 'partial' ? [`${type} ${outcome}: ${reason}`] : [],
    );
    return [market, `${age}${state === 'data-too-old' ? ' (too old)' : ''}`, failures.join('; ') || 'none'];
  });
  return formatTable(['Market', 'Newest complete book', 'Failures'], rows);
}

function describeBackups(backups: StatusAnswer['backups'], now: Date): string {
  const isUsed = backups.cron !== null || backups.lastGood !== null || backups.lastFailure !== null;
  return isUsed ? backupWords(backups, now) : 'off';
}
