import { isExactNumber, parseExact } from '../../core/exact-json.ts';
import { isRecord } from '../../market/wire/record-rows.ts';

/**
 * Fields in which markets and people keep credentials: environment, start script, arguments. Found by words in their
 * names, because the record of an instance is not specified.
 */
const privateNames = /token|secret|passw|api_?key|private_?key|credential|login|(^|_)env|onstart|args/i;

/** Returns a record as JSON text without such fields, at any depth; numbers keep their digits. */
export function withoutPrivateFields(raw: string): string {
  return JSON.stringify(publicPart(parseExact(raw)));
}

function publicPart(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(publicPart);
  if (!isRecord(value) || isExactNumber(value)) return value;
  const fields = Object.entries(value).filter(([name]) => !privateNames.test(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, publicPart(field)]));
}
