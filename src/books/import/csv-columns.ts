import { isTimeZone } from '../../core/calendar-date.ts';
import { didYouMean } from '../../core/did-you-mean.ts';
import { UserError } from '../../core/errors.ts';
import type { PricingType } from '../../core/offer.ts';
import type { CsvLayout } from '../../market/offer-reading.ts';
import { records } from '../../market/registry.ts';

/** The columns of a row's moment and pricing type. */
export const [timeField, typeField] = ['scraped_at', 'rental_type'];
const { fields, required, layouts } = records.csv;
const known: readonly string[] = [...fields, timeField, typeField];

/** How the importer says that CSV files are laid out. */
export interface CsvOptions {
  /** Columns by the field that they hold. */
  columns: Readonly<Record<string, string>>;
  /** Values of fields that the files have no column for. */
  values: Readonly<Record<string, string>>;
  /** Name of a known layout. */
  layout: string | undefined;
  /** Pricing type of files that state none. */
  type: PricingType | undefined;
  /** Time zone of times that state none. */
  timeZone: string | undefined;
}

/** Where the fields of a file's rows are. */
export interface CsvColumns {
  /** null: none that is known. */
  layout: string | null;
  /** Field by column; a column without one keeps its own name. */
  fieldOf: ReadonlyMap<string, string>;
  /** Columns that hold no field. */
  others: readonly string[];
  values: Readonly<Record<string, string>>;
  /** Pricing type of rows that state none; null: they have to. */
  type: PricingType | null;
}

/** Throws UserError for an unknown field, layout or time zone. */
export function requireKnownNames({ columns, values, layout, timeZone }: CsvOptions): void {
  const layoutNames = layouts.map(({ name }) => name);
  if (layout !== undefined && !layoutNames.includes(layout)) {
    throw new UserError(
      `Unknown layout \`${layout}\`.${didYouMean(layout, layoutNames)} Layouts are ${listed(layoutNames)}.`,
    );
  }
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    throw new UserError(`Unknown time zone \`${timeZone}\`: name one like Europe/Berlin.`);
  }
  for (const field of [...Object.keys(columns), ...Object.keys(values)]) {
    if (known.includes(field)) continue;
    throw new UserError(
      `Unknown field \`${field}\`.${didYouMean(field, known)} Fields are ${listed(known)}.`,
    );
  }
}

/**
 * Returns where the fields are in a file with this header: named by the importer, else by its layout, else by the column
 * of the field's own name. `hasMoment`: its rows need not state theirs. Throws UserError, with `name`, for a column that
 * is not there, and for required fields without one.
 */
export function findColumns(
  name: string,
  header: readonly string[],
  { columns, values, layout: wanted, type }: CsvOptions,
  hasMoment: boolean,
): CsvColumns {
  const layout = layouts.find((each) =>
    wanted === undefined ? isLayoutOf(each, header) : each.name === wanted,
  );
  const ofLayout = layout === undefined ? {} : { [timeField]: layout.time, ...layout.columns };
  for (const [field, column] of Object.entries(columns)) {
    if (header.includes(column)) continue;
    const near = didYouMean(column, header);
    throw refused(
      name,
      `it has no column \`${column}\` for \`${field}\`.${near} Its columns are ${listed(header)}`,
    );
  }
  const taken = known
    .filter((field) => values[field] === undefined)
    .map((field): [string, string] => [columns[field] ?? ofLayout[field] ?? field, field])
    .filter(([column]) => header.includes(column));
  const fieldOf = new Map(taken);
  const has = (field: string): boolean =>
    values[field] !== undefined || [...fieldOf.values()].includes(field);
  const typeOfAll = type ?? layout?.typeOfFile(name) ?? null;
  const missing = [...required, ...(hasMoment ? [] : [timeField])].filter((field) => !has(field));
  if (missing.length > 0) {
    const near = layout === undefined ? layouts.find(({ time }) => header.includes(time)) : undefined;
    const likely = near === undefined ? '' : `, or try --layout ${near.name}`;
    const remedy = `name it with --columns, or give one value for all rows with --set${likely}`;
    throw refused(name, `it lacks ${listed(missing)}: ${remedy}. Its columns are ${listed(header)}`);
  }
  if (typeOfAll === null && !has(typeField)) {
    throw refused(
      name,
      `it lacks \`${typeField}\`: name its column with --columns, or give its type with --type`,
    );
  }
  return {
    layout: layout?.name ?? null,
    fieldOf,
    others: header.filter((column) => !fieldOf.has(column)),
    values,
    type: has(typeField) && type === undefined ? null : typeOfAll,
  };
}

/** Whether a file has all columns of a layout, and none with the field's own name for its times. */
const isLayoutOf = ({ header: own }: CsvLayout, header: readonly string[]): boolean =>
  own.every((column) => header.includes(column)) && !header.includes(timeField);

const listed = (names: readonly string[]): string => names.map((each) => `\`${each}\``).join(', ');

const refused = (name: string, problem: string) => new UserError(`${name} cannot be read: ${problem}.`);
