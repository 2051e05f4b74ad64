/**
 * JSON whose numbers keep their digits: amounts of money are never rounded, and `JSON.stringify` of a value read here
 * writes `-25.0`, not `-25`.
 */

/** A JSON number with its text, which `JSON.stringify` writes unchanged. */
export interface ExactNumber {
  readonly rawJSON: string;
}

// ES2026, in Node since 21; not yet in the library of the compiler's target.
const json = JSON as unknown as {
  parse: (
    text: string,
    revive: (key: string, value: unknown, context: { source: string }) => unknown,
  ) => unknown;
  rawJSON: (text: string) => ExactNumber;
  isRawJSON: (value: unknown) => value is ExactNumber;
};

/** `JSON.parse` with every number as an ExactNumber. Throws SyntaxError, RangeError for absurd nesting. */
export function parseExact(text: string): unknown {
  return json.parse(text, (_key, value, context) =>
    typeof value === 'number' ? json.rawJSON(context.source) : value,
  );
}

/** Whether a value is a number that `parseExact` read. */
export const isExactNumber = (value: unknown): value is ExactNumber => json.isRawJSON(value);

/** Returns the same value with ordinary numbers. */
export const toPlain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const decimal = /^-?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?$/i;
const maxDecimalLength = 64;

/**
 * The decimal text of an amount as delivered, from an ExactNumber or from text that is a number (some markets
 * write money as text); null for anything else.
 */
export function decimalText(value: unknown): string | null {
  const text = isExactNumber(value) ? value.rawJSON : value;
  if (typeof text !== 'string' || text.length > maxDecimalLength || !decimal.test(text)) return null;
  return Number.isFinite(Number(text)) ? text : null;
}
