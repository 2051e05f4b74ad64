import { fieldKind, type OfferField } from './search-fields.ts';

/** The value that two values are compared by; null: unknown, or of another kind. */
export type ComparisonKey = number | string | null;

/** Returns the key of a value, for a record and a filter alike. Flags are 0 and 1. */
export function comparisonKey(field: OfferField, value: unknown): ComparisonKey {
  if (value === null || value === undefined) return null;
  if (field === 'verified' && typeof value === 'string' && !/^(?:true|false)$/i.test(value)) {
    return value === 'verified' ? 1 : 0;
  }
  switch (fieldKind(field)) {
    case 'number':
      return numberKey(value);
    case 'text':
      return textKey(value);
    case 'flag':
      return flagKey(value);
    case 'version':
      return versionKey(value);
    case 'country':
      return countryKey(value);
    case 'switch':
      return field === 'datacenter' && typeof value === 'number' ? Number(value > 0) : flagKey(value);
  }
}

function numberKey(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'string' || value.trim() === '') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

function textKey(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : null;
}

function flagKey(value: unknown): number | null {
  if (typeof value === 'boolean') return Number(value);
  if (value === 0 || value === 1) return value;
  if (typeof value !== 'string') return null;
  const word = value.toLowerCase();
  if (word === 'true' || word === '1') return 1;
  return word === 'false' || word === '0' ? 0 : null;
}

/** Parts of a version, padded to equal width: `580.65.06` comes before `580.126.9`. */
function versionKey(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,6}(?:\.\d{1,6}){0,3}$/.test(text)) return null;
  const parts = text.split('.');
  while (parts.length < 4) parts.push('');
  return parts.map((part) => part.padStart(6, '0')).join('.');
}

function countryKey(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const code = value.slice(value.lastIndexOf(',') + 1).trim();
  return code === '' ? null : code.toUpperCase();
}
