import { headOf } from '../../core/column-heads.ts';
import { readShare } from '../../core/filter-words.ts';
import { offerFilters } from '../../core/offer-filter.ts';
import type { ExportTable } from '../../exports/table.ts';
import { createZoneClock } from '../../exports/zone-clock.ts';
import type { Screen } from './export-names.ts';
import type { ScreenTable } from './screen-tables.ts';

/** What a workbook says of its origin. */
type Facts = readonly (readonly [what: string, value: string])[];

const maxNamedModels = 2;

/** Returns the name of a file without its ending: `offers-rtx-4090-2026-11-26`. `dates` are YYYY-MM-DD. */
export function exportFileName(
  name: string,
  { gpuNames = [], dates }: { gpuNames?: readonly string[] | undefined; dates: readonly string[] },
): string {
  const models =
    gpuNames.length > maxNamedModels
      ? [`${gpuNames.length}-models`]
      : gpuNames.map((model) => model.toLowerCase().replaceAll(/[^a-z\d]+/g, '-'));
  const parts = [name, ...models, ...new Set(dates)].map((part) => part.replaceAll(/^-+|-+$/g, ''));
  return parts.filter((part) => part !== '').join('-');
}

/** Returns the first and the last day of a range in a zone; the range ends at `asOf` at the latest. */
export function daysOf(
  { from, to, asOf }: { from: Date; to: Date; asOf?: Date },
  timeZone: string,
): string[] {
  const clock = createZoneClock(timeZone);
  const end = new Date(Math.max(Math.min(to.getTime(), asOf?.getTime() ?? to.getTime()) - 1, from.getTime()));
  return [from, end].map((at) => clock.localText(at).slice(0, 10));
}

/** Returns a moment as the zone's clocks show it: `2026-11-26 09:00`. */
const minuteOf = (at: Date, timeZone: string): string =>
  createZoneClock(timeZone).localText(at).slice(0, 16).replace('T', ' ');

/** Returns a range: whole days by the first and the last one, as the page does; else its moments. */
function spanFacts({ from, to }: { from: Date; to: Date }, timeZone: string): Facts {
  const [begins, ends] = [minuteOf(from, timeZone), minuteOf(to, timeZone)];
  const [first, last] = daysOf({ from, to }, timeZone);
  return [from, to].every((at) => createZoneClock(timeZone).localText(at).endsWith('T00:00:00.000'))
    ? [
        ['From', first ?? begins],
        ['To, inclusive', last ?? ends],
      ]
    : [
        ['From', begins],
        ['To, not included', ends],
      ];
}

/** Parameters that say how the file is written, not what is in it. */
const ofTheFile = ['locale', 'timeZone', 'asOf', 'market', 'from', 'to'];

/** Returns the filters and other choices of a request, in words. */
export function choiceFacts(given: Readonly<Record<string, readonly string[]>>): Facts {
  return Object.entries(given)
    .filter(([name]) => !ofTheFile.includes(name))
    .map(([name, values]) => {
      const filter = Object.hasOwn(offerFilters, name)
        ? offerFilters[name as keyof typeof offerFilters]
        : null;
      const unit = filter !== null && 'unit' in filter ? `, ${filter.unit}` : '';
      const isShare = filter !== null && 'format' in filter && filter.format === 'share';
      const said = values.map((value) =>
        isShare ? percentOf(value) : namesChoice(name) ? headOf(value) : value,
      );
      return [`${filter?.label ?? headOf(name)}${unit}`, said.join(', ')];
    });
}

/** Whether a parameter's value is itself the name of a figure or column. */
const namesChoice = (name: string): boolean => ['by', 'metric', 'groupBy', 'stackBy'].includes(name);

/** A share as it may be written, `0.98`, `98` or `98%`, in percent; anything else as it is. */
function percentOf(text: string): string {
  const share = readShare(text);
  return share === null ? text : String(Number((share * 100).toPrecision(12)));
}

/** Returns the market and the range of an export of spend, and until when it knows the bills. */
export const rangeFacts = (
  { market, from, to, asOf }: { market: string; from: Date; to: Date; asOf: Date },
  timeZone: string,
): Facts => [
  ['Market', market],
  ...spanFacts({ from, to }, timeZone),
  ['As known at', minuteOf(asOf, timeZone)],
];

/** Returns the table of a screen with what it was made of, and the name of its file. */
export function describeScreen(
  name: Screen,
  { table, book, range }: ScreenTable,
  {
    given,
    markets,
    timeZone,
  }: { given: Readonly<Record<string, readonly string[]>>; markets: readonly string[]; timeZone: string },
): { table: ExportTable; fileName: string } {
  const facts: Facts = [
    [markets.length > 1 ? 'Markets' : 'Market', markets.join(', ')],
    ...(book === null
      ? []
      : ([
          ['Book of', minuteOf(new Date(book.observedAt), timeZone)],
          ['Coverage of the book', book.verdict],
        ] as const)),
    ...(range === null ? [] : spanFacts({ from: new Date(range.from), to: new Date(range.to) }, timeZone)),
    ...choiceFacts(given),
  ];
  const dates =
    range === null
      ? book === null
        ? []
        : [minuteOf(new Date(book.observedAt), timeZone).slice(0, 10)]
      : daysOf({ from: new Date(range.from), to: new Date(range.to) }, timeZone);
  return { table: { ...table, facts }, fileName: exportFileName(name, { gpuNames: given.gpuName, dates }) };
}
