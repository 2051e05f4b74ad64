/**
 * Splits a line into words as a POSIX shell does: blanks separate, '…' is literal, in "…" a backslash escapes only "
 * and \, elsewhere it escapes anything. Expands nothing. null: an unclosed quote.
 */
export function splitWords(text: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    if (/[ \t\r\n]/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
      at += 1;
      continue;
    }
    const piece = readPiece(text, at);
    if (piece === null) return null;
    word = (word ?? '') + piece.value;
    at = piece.end;
  }
  if (word !== null) words.push(word);
  return words;
}

function readPiece(text: string, at: number): { value: string; end: number } | null {
  const char = text.charAt(at);
  if (char === "'") {
    const close = text.indexOf("'", at + 1);
    return close === -1 ? null : { value: text.slice(at + 1, close), end: close + 1 };
  }
  if (char === '"') return readDoubleQuoted(text, at + 1);
  if (char === '\\') {
    return at + 1 < text.length ? { value: text.charAt(at + 1), end: at + 2 } : null;
  }
  const plain = /[^ \t\r\n'"\\]+/y;
  plain.lastIndex = at;
  const value = plain.exec(text)?.[0] ?? char;
  return { value, end: at + value.length };
}

function readDoubleQuoted(text: string, from: number): { value: string; end: number } | null {
  let value = '';
  for (let at = from; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') return { value, end: at + 1 };
    const next = text.charAt(at + 1);
    if (char === '\\' && (next === '"' || next === '\\')) {
      value += next;
      at += 1;
    } else value += char;
  }
  return null;
}

/**
 * Quotes `word` if a shell would split or change it: plain, else '…', else "…" if it has an apostrophe and nothing that
 * double quotes would change, else '…' with apostrophes as `'\''`. An empty word is `''` on its own and nothing after a
 * `prefix=`.
 */
export function quoteWord(word: string, prefix = ''): string {
  if (word === '') return prefix === '' ? "''" : '';
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (!word.includes("'")) return `'${word}'`;
  if (!/["\\$`!]/.test(word)) return `"${word}"`;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
