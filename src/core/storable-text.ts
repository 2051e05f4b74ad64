/** Whether text is one line that every column takes and a line shows: no control characters, no halves of characters. */
export const isStorableLine = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text);

/** The same of any number of lines: no U+0000, no halves of characters. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** The same of JSON, its names included, at any depth. */
export function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, each]) => isStorableText(name) && isStorableJson(each));
}
