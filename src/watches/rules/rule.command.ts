import { Command, InvalidArgumentError, Option } from 'commander';
import { ruleMetrics, unitWords, valueWithUnit } from '../../core/metric.ts';
import type { Api, BodyOf } from '../../core/terminal/api.ts';
import type { CommandContext } from '../../core/terminal/command-context.ts';
import { findByName, findChannels, readAll } from '../../core/terminal/find-by-name.ts';
import { marketOption } from '../../core/terminal/market-option.ts';
import { formatFacts, formatTable } from '../../core/terminal/table.ts';
import { minuteWords } from '../../core/time-words.ts';
import { marketTable } from '../../prices/newest/market-table.ts';
import { nowWords, pastWords } from './past-words.ts';
import { isPriceRule, type RuleKind, ruleKinds } from './rule.ts';
import type { BacktestAnswer, RuleAnswer } from './rule-answers.ts';

interface RuleOptions {
  watch?: string;
  market?: string;
  kind?: RuleKind;
  metric?: string;
  param?: Record<string, unknown>;
  when?: { m: number; n: number };
  hysteresis?: string;
  cooldown?: string;
  rearm?: string;
  dailyCap?: string;
  channel?: string[];
  from?: string;
  to?: string;
  dryRun?: true;
  json?: true;
}

export function ruleCommand(context: CommandContext): Command {
  const command = new Command('rule')
    .description('manage the rules that send alerts')
    .addHelpText(
      'after',
      '\nExample:\n  offerbook rule add --watch "two cards" --kind priceBelow --param usd=0.3',
    );
  for (const make of [addOne, listAll, backtest, listAlerts, removeOne]) command.addCommand(make(context));
  return command;
}

const describeFields = (command: Command): Command =>
  command
    .option('--watch <watch>', 'name or id of the watch of a price rule')
    .option('--market <name>', 'market in which to look a name up, or of a rule on events')
    .addOption(
      new Option('--metric <metric>', 'metric that a price rule compares (default: usdPerGpuHour)').choices(
        ruleMetrics,
      ),
    )
    .option(
      '--param <name=value...>',
      'parameters of the kind, for example usd=0.3, days=30 or since=24',
      collect,
    )
    .option('--when <m-of-n>', 'fire if it holds in m of the last n books, for example 2-of-3', parseWhen)
    .option('--hysteresis <percent>', 'percent beyond the threshold at which an alert ends')
    .option('--cooldown <minutes>', 'minimum minutes between two alerts')
    .option(
      '--rearm <how>',
      'when it may fire again: leave, never, or after this many minutes (default: leave)',
    )
    .option('--daily-cap <alerts>', 'maximum number of alerts per UTC day')
    .option('--json', 'print JSON');

function addOne(context: CommandContext): Command {
  const command = new Command('add')
    .description('add a rule')
    .addOption(new Option('--kind <kind>', 'what the rule checks').choices(ruleKinds).makeOptionMandatory());
  return describeFields(command)
    .option('--channel <channel...>', 'names or ids of channels (default: those of the watch)')
    .option('--dry-run', 'show the current value and how often the rule would have fired; add nothing')
    .addHelpText(
      'after',
      '\nExample:\n  offerbook rule add --watch "two cards" --kind priceBelow --param usd=0.3 --when 2-of-3',
    )
    .action(async (given: RuleOptions) => {
      await context.withApi(async (api) => {
        const channelIds = await findChannels(api, given.channel ?? []);
        const fields = await fieldsOf(api, given);
        const { kind } = given;
        if (given.dryRun === true) {
          const tried = await backtestInWords(api, { ...fields, market: undefined });
          context.print(given.json === true ? JSON.stringify(tried) : pastWords(tried).join('\n'));
          return;
        }
        const body = { ...fields, ...(channelIds.length > 0 ? { channelIds } : {}) };
        const rule = await api.createRule({ body: body as BodyOf<'createRule'> });
        if (given.json === true) {
          context.print(JSON.stringify(rule));
          return;
        }
        context.print(describe(rule));
        if (kind === undefined || !isPriceRule(kind)) return;
        context.print(pastWords(await backtestInWords(api, { ruleId: rule.id })).join('\n'));
      });
    });
}

function listAll(context: CommandContext): Command {
  return new Command('list')
    .description('list rules')
    .addOption(marketOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook rule list')
    .action(async ({ market, json }: Pick<RuleOptions, 'json'> & { market?: string[] }) => {
      await context.withApi(async (api) => {
        const rules = await readAll((page) => api.listRules({ market, ...page }));
        const watches = await readAll((page) => api.listWatches({ market, ...page }));
        const names = new Map(watches.map(({ id, name }) => [id, name]));
        const isPlural = (market?.length ?? 0) > 1;
        const rows = rules.map(({ id, kind, params, unit, watchId, enabled, market: own }) => [
          id,
          ...(isPlural ? [own] : []),
          kind,
          JSON.stringify(params),
          unitWords(unit ?? ''),
          names.get(watchId ?? '') ?? '',
          enabled ? 'on' : 'off',
        ]);
        const table =
          rows.length === 0
            ? 'No rules yet: `offerbook rule add` adds one.'
            : formatTable(
                ['Id', ...(isPlural ? ['Market'] : []), 'Kind', 'Params', 'Unit', 'Watch', 'State'],
                rows,
              );
        context.print(json === true ? JSON.stringify({ rules }) : table);
      });
    });
}

function backtest(context: CommandContext): Command {
  const command = new Command('backtest')
    .description('show when a rule would have fired; changes nothing')
    .argument('[rule]', 'id of an existing rule; without it the options describe one')
    .addOption(new Option('--kind <kind>', 'what the rule checks').choices(ruleKinds))
    .option('--from <time>', 'start, a time with its zone (default: 30 days before --to)')
    .option('--to <time>', 'end, a time with its zone (default: just after the newest book)');
  return describeFields(command)
    .addHelpText(
      'after',
      '\nExample:\n  offerbook rule backtest --watch "two cards" --kind lowestInDays --param days=30',
    )
    .action(async (ruleId: string | undefined, given: RuleOptions) => {
      await context.withApi(async (api) => {
        const { from, to } = given;
        const fields = await fieldsOf(api, given);
        const body = { ...fields, market: undefined, ...(ruleId === undefined ? {} : { ruleId }), from, to };
        const answer = await api.backtestRule({ body });
        if (given.json === true) {
          context.print(JSON.stringify(answer));
          return;
        }
        const times = answer.count === 1 ? 'once' : `${answer.count} times`;
        context.print(
          `From ${minuteWords(answer.firstAt ?? answer.from)} to ${minuteWords(answer.to)}, in ${answer.books} books, it would have fired ${times}.`,
        );
        context.print(nowWords(answer).join('\n'));
        const unit = answer.unit === null ? '' : `, ${unitWords(answer.unit)}`;
        const rows = answer.firings.map(({ at, value, baseline, previous, offer }) => [
          minuteWords(at),
          value ?? '',
          baseline ?? '',
          previous ?? '',
          offer === null ? '' : `${offer.numGpus}x ${offer.gpuName}, machine ${offer.machineId}`,
        ]);
        if (rows.length > 0)
          context.print(
            marketTable(['Book', `Value${unit}`, 'Limit', 'Before', 'Offer'], rows, {
              markets: answer.firings.map(({ market }) => market),
              numbers: [1, 2, 3],
            }),
          );
      });
    });
}

function listAlerts(context: CommandContext): Command {
  return new Command('alerts')
    .description('list the alerts of a rule, newest first')
    .argument('<rule>', 'id, as `rule list` shows it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook rule alerts 0199c0de-0000-7000-8000-000000000000')
    .action(async (id: string, { json }: RuleOptions) => {
      await context.withApi(async (api) => {
        const { items } = await api.listRuleAlerts({ id });
        const rows = items.map(({ at, title, value, unit, suppressed }) => [
          minuteWords(at),
          title,
          valueWithUnit(value, unit),
          suppressed ?? '',
        ]);
        const table =
          rows.length === 0
            ? 'No alerts yet: the rule has not fired.'
            : marketTable(['At', 'Alert', 'Value', 'Suppressed'], rows, {
                markets: items.map(({ market }) => market),
                numbers: [],
              });
        context.print(json === true ? JSON.stringify({ alerts: items }) : table);
      });
    });
}

function removeOne(context: CommandContext): Command {
  return new Command('remove')
    .alias('delete')
    .description('delete a rule and its alerts')
    .argument('<rule>', 'id, as `rule list` shows it')
    .addHelpText('after', '\nExample:\n  offerbook rule remove 0199c0de-0000-7000-8000-000000000000')
    .action(async (id: string) => {
      await context.withApi(async (api) => {
        await api.deleteRule({ id });
        context.print('Deleted the rule.');
      });
    });
}

/** Tests a rule on everything that its watch ever saw, up to a year. */
const backtestInWords = async (api: Api, rule: object): Promise<BacktestAnswer> =>
  await api.backtestRule({ body: { ...rule, wholeHistory: true } });

async function fieldsOf(api: Api, { watch, market, kind, metric, param, ...given }: RuleOptions) {
  const inMarkets = market === undefined ? undefined : [market].flat();
  const watchId =
    watch === undefined
      ? undefined
      : (await findByName('watch', watch, (page) => api.listWatches({ market: inMarkets, ...page }))).id;
  const { when, hysteresis, cooldown, rearm, dailyCap } = given;
  const trigger = {
    of: when,
    hysteresisPercent: numberOf(hysteresis),
    cooldownMinutes: numberOf(cooldown),
    rearm: Number.isFinite(Number(rearm)) ? { afterMinutes: Number(rearm) } : rearm,
    dailyCap: numberOf(dailyCap),
  };
  const inMarket = watchId === undefined && market !== undefined ? { market } : {};
  const params = metric === undefined ? param : { metric, ...param };
  return { watchId, kind, params, ...inMarket, ...trigger };
}

/** Parses a number; other text is left for the API to refuse. */
const numberOf = (text: string | undefined): string | number | undefined =>
  text === undefined || !Number.isFinite(Number(text)) ? text : Number(text);

/** Parses `2-of-3`. */
function parseWhen(text: string): { m: number; n: number } {
  const [, m, n] = /^(\d+)-of-(\d+)$/.exec(text) ?? [];
  if (m === undefined) throw new InvalidArgumentError('Expected a form like 2-of-3.');
  return { m: Number(m), n: Number(n) };
}

function describe({ id, kind, params, unit, watchId, of, rearm }: RuleAnswer): string {
  const again = typeof rearm === 'object' ? `after ${rearm.afterMinutes} minutes` : rearm;
  return formatFacts([
    ['Id', id],
    ['Kind', kind],
    ['Parameters', JSON.stringify(params)],
    ['Unit', unit === null ? 'none' : unitWords(unit)],
    ['Watch', watchId ?? 'none: a rule on events'],
    ['Fires when', `it holds in ${of.m} of ${of.n} books`],
    ['Rearms', again],
  ]);
}

/** Adds `name=value` to earlier ones; recognizes numbers and flags, and splits lists at commas. */
function collect(text: string, before: Record<string, unknown> = {}): Record<string, unknown> {
  const equals = text.indexOf('=');
  if (equals < 1) throw new InvalidArgumentError('Expected name=value.');
  const [name, value] = [text.slice(0, equals), text.slice(equals + 1)];
  if (name === 'states') return { ...before, [name]: value.split(',') };
  const plain = /^-?\d+(\.\d+)?$/.test(value)
    ? Number(value)
    : value === 'true'
      ? true
      : value === 'false'
        ? false
        : value;
  return { ...before, [name]: plain };
}
