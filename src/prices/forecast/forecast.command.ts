import { Command, Option } from 'commander';
import { unitWords, valueWithUnit } from '../../core/metric.ts';
import { pricingTypes } from '../../core/offer.ts';
import type { Api } from '../../core/terminal/api.ts';
import type { CommandContext } from '../../core/terminal/command-context.ts';
import { marketOption } from '../../core/terminal/market-option.ts';
import { formatTable } from '../../core/terminal/table.ts';
import { methodNames, percentWords, shareWords } from './describe-forecast.ts';
import type { ForecastAnswer } from './forecast.routes.ts';
import { forecastMetricNames } from './forecast-metrics.ts';

interface ForecastOptions {
  gpuName?: string[];
  type?: string;
  metric?: string;
  market?: string[];
  backtest?: true;
  json?: true;
}

type Series = ForecastAnswer['series'][number];
type Horizon = Series['horizons'][number];

const modelsPerRequest = 25;

/** `offerbook forecast`. */
export function forecastCommand(context: CommandContext): Command {
  return new Command('forecast')
    .description('forecast prices where past forecasts beat the last price, with their errors')
    .option('--gpu-name <model...>', 'GPU models, as the market spells them (default: all as one)')
    .addOption(new Option('--type <type>', 'pricing type (default: on-demand)').choices(pricingTypes))
    .addOption(new Option('--metric <metric>', 'metric (default: median)').choices(forecastMetricNames))
    .option('--backtest', 'list the errors of past forecasts, of every model unless some are named')
    .addOption(marketOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  offerbook forecast --gpu-name "RTX 4090"\n  offerbook forecast --backtest',
    )
    .action(async (given: ForecastOptions) => {
      await context.withApi(async (api) => {
        const answer = given.backtest
          ? await backtest(api, given)
          : await ask(api, given, given.gpuName ?? []);
        const describe = given.backtest ? describeErrors : describeForecasts;
        context.print(given.json ? JSON.stringify(answer) : describe(answer));
      });
    });
}

const ask = async (
  api: Api,
  { type, metric, market }: ForecastOptions,
  gpuName: readonly string[],
): Promise<ForecastAnswer> => await api.getForecast({ gpuName, type, metric, market });

/** Requests all models of the markets in batches; each series has its model as key, or market, type and model. */
async function backtest(api: Api, given: ForecastOptions): Promise<ForecastAnswer> {
  const { market: markets = [] } = given;
  const known = async (): Promise<string[]> => {
    const asked = markets.length === 0 ? [undefined] : markets;
    const each = asked.map((market) => api.getStatus({ market }));
    return [...new Set((await Promise.all(each)).flatMap(({ gpuNames }) => gpuNames))];
  };
  const gpuNames = given.gpuName ?? (await known());
  const step = Math.max(1, Math.floor(modelsPerRequest / Math.max(1, markets.length)));
  const whole = await ask(api, given, gpuNames.slice(0, step));
  for (let at = step; at < gpuNames.length; at += step) {
    const { series } = await ask(api, given, gpuNames.slice(at, at + step));
    whole.series.push(...series);
  }
  // With several markets each key names its own already.
  if (new Set(markets).size > 1) return whole;
  const series = whole.series.map((each, index) => ({ ...each, key: gpuNames[index] ?? each.key }));
  return { ...whole, series };
}

function describeForecasts({ unit, series }: ForecastAnswer): string {
  return series.map((each) => describeSeries(each, unit)).join('\n\n');
}

function describeSeries({ key, lastDay, lastValue, horizons }: Series, unit: string): string {
  if (lastDay === null) return `${key}: no day with a price yet.`;
  const head = `${key}: ${valueWithUnit(lastValue, unit)} on ${lastDay.slice(0, 10)}.`;
  return [head, ...horizons.map(({ words }) => `  ${words}`)].join('\n');
}

function describeErrors({ unit, series }: ForecastAnswer): string {
  const rows = series.flatMap(({ key, horizons }) =>
    horizons.map((each) => [
      ...[key, each.days, each.status, each.candidate === null ? '' : methodNames[each.candidate]],
      ...[percentWords(each.meanErrorPercent), percentWords(each.naiveErrorPercent), gainOf(each)],
      ...[shareWords(each.coverage), each.origins, percentWords(each.usualMovePercent)],
    ]),
  );
  const head = [
    ...['Series', 'Days', 'Status', 'Method', 'Mean error', "Last price's error", 'Better by', 'In band'],
    ...['Origins', 'Usual move'],
  ];
  const shown = series.filter(({ horizons }) => horizons.some(({ status }) => status === 'ok')).length;
  return [
    formatTable(head, rows, [1, 4, 5, 6, 7, 8, 9]),
    `${unitWords(unit)}. ${shown} of ${series.length} series have a forecast that beats the last price by 5% or more.`,
  ].join('\n');
}

/** Returns how much closer past forecasts were than the last price, in logs. */
const gainOf = ({ meanErrorPercent: own, naiveErrorPercent: naive }: Horizon): string =>
  own === null || naive === null || naive === 0
    ? ''
    : percentWords(100 * (1 - Math.log1p(own / 100) / Math.log1p(naive / 100)));
