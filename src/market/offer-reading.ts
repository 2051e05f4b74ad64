import type { Offer, PricingType, RejectedOffer } from '../core/offer.ts';

/** The result of reading a record: an offer, or why not. `replacedCharacters` became U+FFFD in it. */
export type OfferReading =
  | { ok: true; offer: Offer; replacedCharacters: number }
  | { ok: false; rejected: RejectedOffer; replacedCharacters: number };

/** How a known program lays out its CSV files. */
export interface CsvLayout {
  name: string;
  /** The column of the moment of a row. */
  time: string;
  /** Columns of fields by the field's name, where they have another. */
  columns: Readonly<Record<string, string>>;
  /** The pricing type that a file's name states; null: none. */
  typeOfFile: (name: string) => PricingType | null;
  /** Its columns: a file that has all of them is recognized, whatever else it has. */
  header: readonly string[];
}

/** Reads rows of CSV files as records. */
export interface CsvReader {
  /** Names of the fields that a column can hold. */
  fields: readonly string[];
  /** Those that no offer can do without. */
  required: readonly string[];
  layouts: readonly CsvLayout[];
  /** Returns the record of a row's cells by field; other columns may be among them. */
  toRecord: (cells: Readonly<Record<string, string>>) => Record<string, unknown>;
}

/** Reads a market's offer records, wherever they were stored. */
export interface RecordReader {
  readOffer: (record: unknown, type: PricingType) => OfferReading;
  /** Returns the pricing type stated by a search record, or on demand if it states none. */
  typeOf: (record: Readonly<Record<string, unknown>>) => PricingType;
  csv: CsvReader;
}
