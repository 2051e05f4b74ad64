/** Whether text is one line that every column stores and a screen shows: no control characters, no lone surrogates. */
export const isStorableLine = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text);

/** Whether text of any number of lines can be stored: no U+0000, no lone surrogates. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Whether all texts and names of a JSON value can be stored, at any depth. */
export function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, each]) => isStorableText(name) && isStorableJson(each));
}
