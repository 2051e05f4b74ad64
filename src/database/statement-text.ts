const maxLength = 600;
const literals =
  /\bE'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|(?<![\w$.])\d+(?:\.\d+)?(?:e[+-]?\d+)?\b/gi;

/** Returns a statement for the log: without the values in its text, on one line, cut off after 600 characters. */
export function statementText(sql: string): string {
  const text = sql.replace(literals, '?').replace(/\s+/g, ' ').trim();
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
