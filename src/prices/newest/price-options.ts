import { type Command, Option } from 'commander';
import { pricingTypes } from '../../core/offer.ts';
import { filterNames } from '../../core/offer-filter.ts';
import { marketOption } from '../../core/terminal/market-option.ts';
import { collectNameValue, type NameValues } from '../../core/terminal/name-values.ts';

/** The options that `addPriceOptions` adds. */
export interface PriceOptions {
  gpuName?: string[];
  type?: string | string[];
  filter?: NameValues;
  profile?: NameValues;
  market?: string | string[];
  json?: true;
}

/** Adds models, filters, profile, markets and types, or `one` type. */
export function addPriceOptions(command: Command, types: 'one' | 'several' = 'several'): Command {
  const type =
    types === 'one'
      ? new Option('--type <type>', 'pricing type (default: on-demand)')
      : new Option('--type <type...>', 'pricing types (default: on-demand)');
  return command
    .option('--gpu-name <model...>', 'GPU models, as the market spells them (default: all)')
    .addOption(type.choices(pricingTypes))
    .option(
      '--filter <name=value...>',
      `only offers that match, for example country=DE; repeat a name to allow several values: ${filterNames.join(', ')}`,
      collectNameValue,
    )
    .option(
      '--profile <name=value...>',
      'usage profile for all-in prices: storageGb, downGb, upGb, runningHours, stoppedHours',
      collectNameValue,
    )
    .addOption(marketOption())
    .option('--json', 'print JSON');
}

/** Returns the query parameters of the price options. */
export const priceQuery = ({ gpuName, type, filter, profile, market }: PriceOptions) => ({
  ...filter,
  ...profile,
  ...(gpuName === undefined ? {} : { gpuName }),
  ...(type === undefined ? {} : { type }),
  market,
});

/** Formats a figure other than a price with four significant digits; unknown is blank. */
export const shownFigure = (value: number | null): string =>
  value === null ? '' : String(Number(value.toPrecision(4)));

/** The message while the market has no book. */
export const noBook =
  'No book yet: a service makes one soon after its start; without a service, run `offerbook crawl offers`.';
