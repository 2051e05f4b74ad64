import { metricEntries, rankingMetrics, ruleMetrics, trendMetrics } from '../../core/metric.ts';
import { filterEntries, isList, type OfferFilterSpec } from '../../core/offer-filter.ts';
import { priceDecimals } from '../../core/usd-words.ts';
import { exportFormats, formatLabel } from '../../exports/formats.ts';
import { rankingColumnNames, rankingColumns } from '../../prices/rankings/ranking-columns.ts';
import { shownLimits } from '../../rentals/limits.ts';
import { billWords, wordedGroupings } from '../../spend/bill-words.ts';
import { equalMachineMeaning } from '../../spend/market/comparison-words.ts';
import { groupingEntries, spendGroupings } from '../../spend/spend-grouping.ts';

/** Returns the JSON text of `web/core/definitions.json`: filters, columns, metrics, groupings, formats, limits, decimals of prices, and what an equal machine is. */
export function describeDefinitions(): string {
  const filters = filterEntries.map(([name, spec]) => ({
    name,
    label: spec.label,
    kind: kindOf(spec),
    choices: spec.values,
    unit: spec.unit,
    title: spec.hint,
  }));
  const metrics = metricEntries.map(([name, { label, shownUnit, unit }]) => ({
    name,
    label,
    unit: shownUnit,
    apiUnit: unit,
  }));
  // The default comes first.
  const metricNames = { trends: trendMetrics, rankings: rankingMetrics, rules: ruleMetrics };
  const spendGroupings = groupingEntries
    .filter(([, grouping]) => !('days' in grouping))
    .map(([value, { label }]) => ({ value, label }));
  const shownColumns = rankingColumnNames.map((name) => ({ name, ...rankingColumns[name] }));
  const formats = exportFormats.map((value) => ({ value, label: formatLabel(value) }));
  const definitions = {
    filters,
    rankingColumns: shownColumns,
    metrics,
    metricNames,
    spendGroupings,
    billWords,
    wordedGroupings,
    exportFormats: formats,
    limits: shownLimits,
    priceDecimals,
    equalMachineMeaning,
  };
  return `${JSON.stringify(definitions, null, 2)}\n`;
}

/** Returns the kind of form field for a filter's values. */
function kindOf({ operator, values, format, isWhole }: OfferFilterSpec): string {
  if (operator === 'is') return 'flag';
  if (format === 'share') return 'share';
  if (!isList(operator)) return 'number';
  if (values !== undefined) return 'choices';
  return isWhole === true ? 'numbers' : 'words';
}

/** Returns `docs/api.md` with the filters and the groupings of spend in the code. */
export function documentTables(text: string): string {
  const filters = filterEntries.map(([name, { operator, values, keeps }]) => {
    const choices = operator === 'is' ? ['true', 'false'] : (values ?? []);
    return `| \`${name}\` | ${isList(operator) ? 'yes' : ''} | ${keeps}${choices.length > 0 ? `: ${codes(choices)}` : ''} |\n`;
  });
  const head = [
    '| parameter | repeatable | keeps offers |\n|---|---|---|\n',
    '| `gpuName` | yes | of these models |\n',
    '| `type` | yes | of these pricing types: `on-demand` (default), `bid`, `reserved` |\n',
  ];
  const groupBy = `\`groupBy\` and \`stackBy\`: ${codes(spendGroupings)}.\n`;
  return between(between(text, 'filters', [...head, ...filters].join('')), 'groupings', groupBy);
}

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** Replaces the text between the two marks of a name. Throws if a mark is missing. */
function between(text: string, name: string, made: string): string {
  const [begin, end] = [`<!-- ${name}: npm run openapi -->\n`, `<!-- end of ${name} -->`];
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`The marks of ${name} are missing`);
  return `${before}${begin}${made}${end}${after}`;
}
