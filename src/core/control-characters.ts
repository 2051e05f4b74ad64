/**
 * Characters that control a terminal or change the direction of text: C0, DEL, C1, line separators, direction marks.
 */
export const steeringCharacters = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Returns text that is safe on a terminal: control characters become `\u001b` escapes, line ends and tabs stay. JSON
 * keeps its value, because it has no such characters outside its strings.
 */
export const escapeForTerminal = (text: string): string =>
  text.replace(steeringCharacters, (char) => (char === '\n' || char === '\t' ? char : escapeOf(char)));

/** Returns text that is safe as one cell or one line on a terminal: line ends and tabs become spaces. */
export const escapeLine = (text: string): string => escapeForTerminal(text.replace(/[\r\n\t]+/g, ' '));

const escapeOf = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
