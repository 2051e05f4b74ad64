import type { Offer } from './offer.ts';
import { type FieldsWith, fieldsWhere, type StoredField } from './offer-fields.ts';

const numberTypes = ['bigint', 'smallint', 'integer', 'float8'] as const;
const wordTypes = ['name', 'text', 'boolean'] as const;
type Known = { of: 'listing' | 'price' | 'attribute' };
type Unseen = FieldsWith<{ isShownOnly: true }>;
export type NumberField = Exclude<FieldsWith<Known & { type: (typeof numberTypes)[number] }>, Unseen>;
export type WordField = Exclude<FieldsWith<Known & { type: (typeof wordTypes)[number] }>, Unseen>;

const ofTypes = (types: readonly string[]) =>
  fieldsWhere(
    ({ of, type, isShownOnly }: StoredField) => of !== 'newest' && !isShownOnly && types.includes(type),
  );
const numberFields = ofTypes(numberTypes) as NumberField[];
const wordFields = ofTypes(wordTypes) as WordField[];
/** The columns of `ComparedOffer`. */
export const comparedFields: readonly (NumberField | WordField)[] = [...numberFields, ...wordFields];

/**
 * The fields of an offer that filters and metrics read, in the newest book and in history. null: the market did not
 * state it.
 */
export type ComparedOffer = Pick<Offer, NumberField | WordField>;

/** Offers in columns; entry i of each column is offer i. Reading columns is many times faster than reading objects. */
export interface OfferColumns {
  length: number;
  /** NaN: the market did not state it. */
  numbers: Readonly<Record<NumberField, Float64Array>>;
  /** null: the market did not state it. */
  words: Readonly<Record<WordField, readonly (string | boolean | null)[]>>;
}

/** Indexes of some offers, ascending. */
export type Places = Int32Array;

/** Returns the indexes that pass a test. The `filter` of a typed array takes twice as long. */
export function placesWhere(places: Places, holds: (place: number) => boolean): Places {
  const found = new Int32Array(places.length);
  let count = 0;
  for (let index = 0; index < places.length; index += 1) {
    const place = places[index] as number;
    if (!holds(place)) continue;
    found[count] = place;
    count += 1;
  }
  return found.subarray(0, count);
}

/** Whether a field is a number in columns. */
export const isNumberField = (field: NumberField | WordField): field is NumberField =>
  (numberFields as readonly string[]).includes(field);

/** Returns the columns of some offers. */
export function toColumns(offers: readonly ComparedOffer[]): OfferColumns {
  return {
    length: offers.length,
    numbers: Object.fromEntries(
      numberFields.map((field) => [field, Float64Array.from(offers, (offer) => offer[field] ?? Number.NaN)]),
    ) as Record<NumberField, Float64Array>,
    words: Object.fromEntries(
      wordFields.map((field) => [field, offers.map((offer) => offer[field])]),
    ) as unknown as Record<WordField, (string | boolean | null)[]>,
  };
}
