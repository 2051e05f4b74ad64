import definitions from './definitions.json' with { type: 'json' };
import { formatCount, formatPercent, formatShare, formatUsd } from './figures.ts';
import { numberFormat } from './formats.ts';
import { unitWords } from './metrics.ts';
import { sentenceCase } from './sentence-case.ts';
import { formatMoment } from './times.ts';

/** A figure of an explanation: a number, exact money as text, a word, yes or no; null: unknown. */
export type Figure = number | string | boolean | null;

/** Prices per GPU-hour in explanations of a percentage. */
const pricesPerGpuHour = /^(price(Before|Now)|median(Before|Now)?|bidMedian)$/;

/** Names of prices in the unit of the explanation. */
const pricesOfUnit =
  /^(value|low|high|lowest|highest|mean|median|min|max|p\d+|price|priceNow|priceBefore|bidMedian)$/;

const isAmount = (name: string): boolean => name.endsWith('Usd');

/** Whether a field of rows is read from its last digit: numbers, and amounts, which are exact as text. */
export const isFigureField = (name: string, values: readonly unknown[]): boolean =>
  isAmount(name) || values.some((value) => typeof value === 'number');

/** Returns the fields of rows with the amounts right after the first one, where they are in sight. */
export function amountsFirst(fields: readonly string[]): string[] {
  const [first, others] = [fields.slice(0, 1), fields.slice(1)];
  return [...first, ...others.filter(isAmount), ...others.filter((name) => !isAmount(name))];
}

/** Fields that may only repeat another one, whose name says more. */
const repeated: Readonly<Record<string, string>> = {
  value: 'usdPerGpuHour',
  usdPerHour: 'allInUsdPerHour',
  partUsd: 'amountUsd',
  category: 'kind',
  end: 'start',
  service: 'source',
};

/** Returns the fields without those that say the same as another one in every row, as `figureWords` shows it. */
export function withoutRepeated(
  fields: readonly string[],
  rows: readonly Readonly<Record<string, Figure | undefined>>[],
  unit: string | null,
): string[] {
  const words = (row: (typeof rows)[number], name: string) => figureWords(name, row[name] ?? null, unit);
  return fields.filter((field) => {
    const other = repeated[field];
    if (other === undefined || !fields.includes(other)) return true;
    return rows.some((row) => words(row, field) !== words(row, other));
  });
}

/** Returns a figure with its sign and unit, by its name; `unit`: that of the explanation's prices, null: none. */
export function figureWords(name: string, figure: Figure, unit: string | null): string {
  if (figure === null) return '–';
  if (typeof figure === 'boolean') return figure ? 'yes' : 'no';
  const usd = /usd(?:per(\w+))?$/i.exec(name);
  const number = usd === null && typeof figure === 'string' ? Number.NaN : Number(figure);
  if (Number.isNaN(number) || /Id$/.test(name)) return plainWords(String(figure));
  if (usd !== null) return formatUsd(number) + perWords(usd[1]);
  if (/percent$/i.test(name) || /^percentile/.test(name)) return formatPercent(number, 2);
  if (/^(share|coverage|chance\d*|similarChance\d*|reliability)$/.test(name)) return formatShare(number);
  if (unit !== null && !unit.startsWith('USD') && pricesPerGpuHour.test(name)) {
    return formatUsd(number) + perWords('GpuHour');
  }
  if (pricesOfUnit.test(name)) return inUnit(number, unit);
  if (/hours/i.test(name)) return `${formatCount(number)} h`;
  return numberFormat({ maximumSignificantDigits: 9 }).format(number);
}

/** Returns a sentence with its moments, `2026-07-30 14:07 UTC`, as the page shows them: in the reader's time zone. */
export const ownMoments = (text: string): string =>
  text.replace(/(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/g, (_, day: string, time: string) =>
    formatMoment(`${day}T${time}Z`),
  );

/** Returns a moment in the reader's time zone, and an unmet filter by its label; other text as it is. */
const plainWords = (text: string): string =>
  text
    .replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d\S*Z$/, (moment) => formatMoment(moment))
    .replace(/^filter (\w+)$/, (_, named: string) => {
      const filter = definitions.filters.find(({ name }) => name === named);
      return `filter “${filter?.label ?? named}” not met`;
    });

/** Returns `/GPU-hour` for `GpuHour`; empty for undefined. */
function perWords(per: string | undefined): string {
  if (per === undefined) return '';
  const words = per.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
  return `/${words.replace(/\b(gpu|gb|vram|tflop)\b/g, (unit) => unit.toUpperCase()).replace('dlperf', 'DLPerf')}`;
}

function inUnit(number: number, unit: string | null): string {
  const words = unitWords(unit);
  if (words.startsWith('$')) return formatUsd(number) + words.slice(1);
  return words === '%'
    ? formatPercent(number, 2)
    : numberFormat({ maximumSignificantDigits: 9 }).format(number);
}

/** Labels of fields whose names do not say enough. */
const labels: Readonly<Record<string, string>> = {
  numGpus: 'GPUs',
  dlperf: 'DLPerf',
  usdPerHour: 'Price',
  usdPerGpuHour: 'Price per GPU',
  usualUsdPerGpuHour: 'Usual price per GPU',
  baseUsdPerHour: 'Base price',
  storageUsdPerGbMonth: 'Storage price',
  inetDownUsdPerGb: 'Download price',
  inetUpUsdPerGb: 'Upload price',
  allInUsdPerHour: 'All-in price',
  burnUsdPerHour: 'Burn rate',
  endsAt: 'Host ends it',
  stderrPercent: 'Error ±: off by less in about 2 of 3 cases (standard error)',
  medianPercent: 'Day’s median',
  p10: '10th percentile',
  p25: '25th percentile',
  p75: '75th percentile',
  p90: '90th percentile',
  lowestInDays: 'Days since a price as low',
  pricedDays: 'Earlier days with a price',
  lowerDays: 'Earlier days with a lower price',
  higherPercent: 'Time in which it was higher',
  lowerPercent: 'Time in which it was lower',
  percentileNow: 'Percentile among offers now',
  comparedUsd: 'Compared, of what was paid',
  overMedianUsd: 'Above market median',
  overMinUsd: 'Above market lowest, outliers counted',
  overLowestUsd: 'Above market lowest, outliers left out',
  cloudUsd: 'Cost at the cheapest cloud',
  cloudComparedUsd: 'Paid for the hours compared with it',
  notComparedUsd: 'Not compared with a cloud',
  savedUsd: 'Above equal machines, at least',
  equalMachine: 'Equal machine',
  bidSpreadPercent: 'Bid discount',
  rejected: 'Left out because',
  books: 'Books it is taken from',
  rounds: 'Books of each type',
  physicalGpusIsLowerBound: 'Physical GPUs: at least so many',
};

/** Labels that differ in the explanation of one figure. */
const ownLabels: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  wait: {
    percentileNow: 'Percentile among books of the 7 days before',
    price: 'Lowest price of a whole offer',
  },
  'vs-market': {
    hours: 'Clock hours with charges',
    lowestUsdPerGpuHour: 'Lowest price per GPU, outliers left out',
    minUsdPerGpuHour: 'Lowest price per GPU, outliers counted',
  },
};

/** Returns an API field as a label: `medianPercent` becomes "Median", `chance5` "Chance, 5% cheaper". `of`: the figure that is explained. */
export const figureName = (field: string, of = ''): string =>
  ownLabels[of]?.[field] ??
  labels[field] ??
  sentenceCase(
    field
      .replace(/(?<=[a-z])(?=[A-Z\d])/g, ' ')
      .toLowerCase()
      .replace(/^t$/, 'time')
      .replace(/^percentile (\d+)$/, 'percentile, $1 days')
      .replace(/(chance|hours)( to)? (\d+)$/, '$1, $3% cheaper')
      // A price has its unit in each cell.
      .replace(/(?<=.) usd per gpu hour$/, ' per GPU')
      .replace(/(?<=.) usd per (hour|gb|gb month)$/, '')
      // An amount has its sign itself; other prices per hour keep it in formulas.
      .replace(/(?<=.) usd$/, '')
      .replace(/\busd\b/, '$')
      .replace(/\bgpu/g, 'GPU')
      .replace(/\bgb\b/, 'GB')
      .replace(/(?<=.) percent$/, ''),
  );

/** The numbers of prices' formulas, each with what it counts. */
const formulaNumbers: readonly (readonly [RegExp, string])[] = [
  [/^\(baseUsdPerHour × (\S+)(.*\/) \1/, '(baseUsdPerHour × $1 running hours$2 $1 running hours'],
  [/(storageUsdPerGbMonth × \S+) \/ 720 × (\S+)/g, '$1 / 720 × $2 running and stopped hours'],
  [/(storageUsdPerGbMonth × \S+) \/ 720/g, '$1 GB of disk / 720 hours of a month'],
  [/(inet(?:Down|Up)UsdPerGb × [\d.]+)/g, '$1 GB'],
];

/**
 * Returns a formula with the labels of its fields, as the rows below it are headed, in place of the API's names, and
 * with what its numbers count.
 */
export const formulaWords = (formula: string): string =>
  formulaNumbers
    .reduce((text, [from, to]) => text.replace(from, to), formula)
    .replace(/\b(?:[a-z]+[A-Z]\w*|dlperf)\b/g, (field) => figureName(field));
