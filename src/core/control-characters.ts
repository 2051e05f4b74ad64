/** Characters that steer a terminal or turn the direction of text: C0, DEL, C1, line separators, marks of direction. */
export const steeringCharacters = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Text for a terminal: what would steer it is written as `\u001b`, lines and tabs stay. JSON stays the same value, since
 * outside of its texts it holds nothing of the kind.
 */
export const escapeForTerminal = (text: string): string =>
  text.replace(steeringCharacters, (char) => (char === '\n' || char === '\t' ? char : escapeOf(char)));

/** The same for one cell or one line: line ends and tabs become a space. */
export const escapeLine = (text: string): string => escapeForTerminal(text.replace(/[\r\n\t]+/g, ' '));

const escapeOf = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
