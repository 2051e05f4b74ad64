/** The beginning of a text: at most `longest` UTF-16 units, and no half of a character at its end. */
export const cutText = (text: string, longest: number): string =>
  text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');
