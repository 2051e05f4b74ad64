/** Returns the beginning of a text: at most `longest` UTF-16 units, never ending in half of a surrogate pair. */
export const cutText = (text: string, longest: number): string =>
  text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');
