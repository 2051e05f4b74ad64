import { cleanJson, mayNeedCleaning } from './text-from-outside.ts';

/** A record without secrets and unstorable characters, and its JSON text; `replaced` characters became U+FFFD. */
export interface RecordCopy {
  value: unknown;
  raw: string;
  replaced: number;
}

/** Returns the record as it may be stored, or itself if nothing had to change. null: nested too deeply. */
export function copyRecord(record: object): RecordCopy | null {
  try {
    const raw = JSON.stringify(record);
    if (!mayNeedCleaning(raw)) return { value: record, raw, replaced: 0 };
    const cleaned = cleanJson(record);
    return { value: cleaned.value, raw: JSON.stringify(cleaned.value), replaced: cleaned.replaced };
  } catch (error) {
    // Parsing JSON needs no stack, but writing it does: thousands of nested arrays exhaust it.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
