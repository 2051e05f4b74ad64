import { Command, InvalidArgumentError, Option } from 'commander';
import type { Api, BodyOf } from '../core/terminal/api.ts';
import type { CommandContext } from '../core/terminal/command-context.ts';
import { findByName, findChannels, readAll } from '../core/terminal/find-by-name.ts';
import { above0 } from '../core/terminal/numbers.ts';
import { formatTable } from '../core/terminal/table.ts';
import { readEnv, readOnstart } from '../rentals/rent/machine-options.ts';
import type { PersonalMarket } from '../rentals/templates/person-client.ts';
import type { OrderAnswer } from './order-answers.ts';
import { describeOrder, dryRunWords, priceWords } from './order-words.ts';

type OrderContext = CommandContext & Pick<PersonalMarket, 'accountRules'>;

interface OrderOptions {
  name: string;
  choice: { watch: string; maxUsdPerGpuHour?: number; isBid: boolean }[];
  percentile?: { percentile: number; days: number };
  indexFall?: { percent: number; days: number };
  bidAbove?: number;
  bidStep?: number;
  whenOutbid?: string;
  count?: number;
  until: string;
  budget?: string;
  image?: string;
  template?: string;
  disk: number;
  maxHours?: number;
  endAction?: string;
  env?: string;
  onstart?: string;
  compressOnstart?: true;
  label?: string;
  costCenter?: string;
  provisionMinutes?: number;
  channel?: string[];
  json?: true;
}

/** `offerbook order`. */
export function orderCommand(context: OrderContext): Command {
  const command = new Command('order')
    .description('manage standing orders, which rent when an offer fits')
    .addHelpText('after', '\nExample:\n  offerbook order list');
  for (const make of [addOne, listAll, showOne, tryOne, armOne, pauseOne, removeOne])
    command.addCommand(make(context));
  return command;
}

function addOne(context: OrderContext): Command {
  return new Command('add')
    .description('add an order as a draft, and show what it would have rented in the past')
    .requiredOption('--name <name>', 'name of the order')
    .requiredOption(
      '--choice <watch=usd...>',
      'watches in order of preference, each with its max $/GPU-hour; without =usd only the other conditions count; with the word bid behind the price it bids up to there',
      readChoice,
    )
    .option(
      '--percentile <p-of-days>',
      'max percentile of the price over 7, 30 or 90 days, for example 10-of-30',
      readPercentile,
    )
    .option(
      '--index-fall <percent-in-days>',
      'the index of the model has fallen by this over 1, 7 or 27 days, for example 5-in-7',
      readFall,
    )
    .option('--bid-above <percent>', 'first bid, percent above the minimum bid (default: 10)', readPercent)
    .option('--bid-step <percent>', 'raise of a bid that is outbid, percent (default: 10)', above0)
    .addOption(
      new Option('--when-outbid <action>', 'when the highest bid is outbid (default: wait)').choices([
        'wait',
        'replace',
      ]),
    )
    .option('--count <machines>', 'machines wanted (default: 1)', above0)
    .requiredOption('--until <time>', 'when it expires, a date or a time with its zone')
    .option('--budget <usd>', 'what its machines may commit; needs --max-hours and --end-action destroy')
    .option('--image <image>', 'container image')
    .option('--template <hash>', 'template hash, as `templates search` shows it')
    .requiredOption('--disk <gb>', 'disk size, GB; it cannot grow later', above0)
    .option('--max-hours <hours>', 'hours of each machine until --end-action', above0)
    .addOption(
      new Option('--end-action <action>', 'what to do after --max-hours (default: stop)').choices([
        'stop',
        'destroy',
      ]),
    )
    .option('--env <flags>', 'environment variables and ports: "-e NAME=value -p host:container"')
    .option('--onstart <file>', 'file with the start script, at most 4048 characters')
    .option('--compress-onstart', 'compress a longer start script into one line that unpacks and runs it')
    .option('--label <text>', 'label of the instances (default: the name)')
    .option('--cost-center <text>', 'cost center that they are charged to')
    .option(
      '--provision-minutes <minutes>',
      'minutes after which a machine has failed to start (default: 20)',
      above0,
    )
    .option('--channel <channel...>', "channels of its messages (default: those of the first choice's watch)")
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  offerbook order add --name "night run" --choice "two cards=0.35" --count 2 --until 2027-01-01 --image ubuntu:24.04 --disk 20 --max-hours 8 --end-action destroy --budget 20',
    )
    .action(async (given: OrderOptions) => {
      const onstart = await readOnstart(given, context.accountRules);
      await context.withApi(async (api) => {
        const body = { ...(await bodyOf(api, given)), request: requestOf(given, onstart) };
        const { id } = await api.createOrder({ body: body as BodyOf<'createOrder'> });
        await api.dryRunOrder({ id, body: {} });
        const order = await api.getOrder({ id });
        await printOrder(context, api, order, given.json);
      });
    });
}

async function bodyOf(api: Api, given: OrderOptions) {
  const { name, choice, percentile, indexFall, count, until, budget, channel = [] } = given;
  const bid = { abovePercent: given.bidAbove, stepPercent: given.bidStep, whenOutbid: given.whenOutbid };
  const choices = [];
  for (const { watch, isBid, ...price } of choice) {
    const { id: watchId } = await findByName('watch', watch, api.listWatches);
    const conditions = { maxPercentile: percentile, minIndexFall: indexFall };
    choices.push({ watchId, ...price, ...conditions, bid: isBid ? bid : undefined });
  }
  const channelIds = await findChannels(api, channel);
  return { name, choices, count, endsAt: until, budgetUsd: budget, channelIds };
}

function requestOf(given: OrderOptions, onstart: string | undefined): object {
  const { image, template, disk, maxHours, endAction, env, label, costCenter, provisionMinutes } = given;
  return {
    image,
    templateHashId: template,
    diskGb: disk,
    maxHours,
    endAction,
    env: env === undefined ? undefined : readEnv(env),
    onstart,
    label,
    costCenter,
    provisionMinutes,
  };
}

function listAll(context: CommandContext): Command {
  return new Command('list')
    .description('list orders')
    .option('--market <name>', 'market to read (default: the configured one)')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook order list')
    .action(async ({ market, json }: { market?: string; json?: true }) => {
      await context.withApi(async (api) => {
        const orders = await readAll((page) => api.listOrders({ market, ...page }));
        const rows = orders.map((order) => [
          order.id,
          order.name,
          order.state,
          `${order.machines} of ${order.count}`,
          order.choices.map(priceWords).join('; '),
          order.waitingReason ?? order.reason ?? '',
        ]);
        const table = () =>
          rows.length === 0
            ? 'No orders yet: `offerbook order add` adds one.'
            : formatTable(['Id', 'Name', 'State', 'Machines', 'Price', 'Reason'], rows);
        print(context, json, { orders }, table);
      });
    });
}

function print(context: CommandContext, json: true | undefined, answer: object, words: () => string): void {
  context.print(json === true ? JSON.stringify(answer) : words());
}

async function printOrder(
  context: CommandContext,
  api: Api,
  order: OrderAnswer,
  json: true | undefined,
): Promise<void> {
  const watches = await readAll(api.listWatches);
  const names = new Map(watches.map(({ id, name }) => [id, name]));
  print(context, json, order, () => describeOrder(order, names));
}

/** A command on one order. */
function onOne(
  context: CommandContext,
  name: string,
  about: string,
  run: (api: Api, order: OrderAnswer, json: true | undefined) => Promise<void>,
): Command {
  return new Command(name)
    .description(about)
    .argument('<order>', 'name or id')
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n  offerbook order ${name} "night run"`)
    .action(async (which: string, { json }: { json?: true }) => {
      await context.withApi(async (api) => {
        const order = await findByName('order', which, api.listOrders);
        await run(api, order, json);
      });
    });
}

const showOne = (context: CommandContext): Command =>
  onOne(context, 'show', 'show an order with its attempts', async (api, order, json) => {
    await printOrder(context, api, order, json);
  });

const tryOne = (context: CommandContext): Command =>
  onOne(context, 'dry-run', 'show what an order would have rented in the past', async (api, { id }, json) => {
    const dry = await api.dryRunOrder({ id, body: {} });
    print(context, json, dry, () => dryRunWords(dry).join('\n'));
  });

const armOne = (context: CommandContext): Command =>
  onOne(context, 'arm', 'arm an order: it rents from now on', async (api, { id }, json) => {
    await printOrder(context, api, await api.armOrder({ id }), json);
  });

const pauseOne = (context: CommandContext): Command =>
  onOne(context, 'pause', 'pause an order: nothing more is rented', async (api, { id }, json) => {
    const order = await api.pauseOrder({ id });
    print(context, json, order, () => `The order ${order.name} is paused.`);
  });

const removeOne = (context: CommandContext): Command =>
  onOne(
    context,
    'remove',
    'delete an order that is not armed; its rentals stay',
    async (api, { id, name }, json) => {
      await api.deleteOrder({ id });
      print(context, json, { id, name }, () => `Deleted the order ${name}.`);
    },
  );

function readChoice(text: string, before: OrderOptions['choice'] = []): OrderOptions['choice'] {
  const [, watch = text, usd, bid] = /^(.*)=([^=]*?)( bid)?$/.exec(text) ?? [];
  const isBid = bid !== undefined;
  return [...before, { watch, isBid, ...(usd === undefined ? {} : { maxUsdPerGpuHour: above0(usd) }) }];
}

function readPercent(text: string): number {
  const percent = Number(text);
  if (text.trim() !== '' && percent >= 0 && percent <= 900) return percent;
  throw new InvalidArgumentError('Write a number from 0 to 900.');
}

function readPercentile(text: string): OrderOptions['percentile'] {
  const [, percentile, days] = /^(\d+(?:\.\d+)?)-of-(7|30|90)$/.exec(text) ?? [];
  if (days !== undefined) return { percentile: Number(percentile), days: Number(days) };
  throw new InvalidArgumentError('Write 10-of-30: a percentile, and 7, 30 or 90 days.');
}

function readFall(text: string): OrderOptions['indexFall'] {
  const [, percent, days] = /^(\d+(?:\.\d+)?)-in-(1|7|27)$/.exec(text) ?? [];
  if (days !== undefined) return { percent: Number(percent), days: Number(days) };
  throw new InvalidArgumentError('Write 5-in-7: percent, and 1, 7 or 27 days.');
}
