import { type Command, Option } from 'commander';
import { pricingTypes } from '../../core/offer.ts';
import { filterNames } from '../../core/offer-fields.ts';
import { collectNameValue, type NameValues } from '../../core/terminal/name-values.ts';

/** The options of every read of prices, as `addPriceOptions` names them. */
export interface PriceOptions {
  gpuName?: string[];
  type?: string[];
  filter?: NameValues;
  profile?: NameValues;
  market?: string;
  json?: true;
}

/** Adds models, types, filters, profile and market. */
export function addPriceOptions(command: Command): Command {
  return command
    .option('--gpu-name <model...>', 'as the market spells it; default: all')
    .addOption(new Option('--type <type...>', 'pricing types; default: on-demand').choices(pricingTypes))
    .option(
      '--filter <name=value...>',
      `a filter of the API, repeated: one of the values; ${filterNames.join(', ')}`,
      collectNameValue,
    )
    .option(
      '--profile <name=value...>',
      'the job that all-in prices are of: storageGb, downGb, …',
      collectNameValue,
    )
    .option('--market <name>', 'the market; default: as in reads of the API')
    .option('--json', 'answer in JSON');
}

/** The query of a read of prices. */
export const priceQuery = ({ gpuName, type, filter, profile, market }: PriceOptions) => ({
  ...{ ...filter, ...profile },
  ...(gpuName === undefined ? {} : { gpuName }),
  ...(type === undefined ? {} : { type }),
  market,
});

/** A price or another measure for a person: four significant digits; unknown is blank. */
export const shownPrice = (value: number | null): string =>
  value === null ? '' : String(Number(value.toPrecision(4)));
