import { type FieldName, type FieldsWith, fieldEntries } from '../../src/core/offer-fields.ts';

/** Every stored field of an offer that may be unknown, unknown: a made offer begins with it. */
export const unknownFields = Object.fromEntries(
  fieldEntries.filter(([, { isNeverNull }]) => !isNeverNull).map(([name]) => [name, null]),
) as Record<Exclude<FieldName, FieldsWith<{ isNeverNull: true }>>, null>;
