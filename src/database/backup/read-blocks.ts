/** A single line, or a chunk of a block's rows. */
export type BackupPart = { line: string } | { rows: Buffer } | { rowsEnd: true };

const end = Buffer.from('\n\\.\n');
/** The header is by far the longest line: it lists each month of each partitioned table. */
const maxLineBytes = 4 * 1024 * 1024;

/**
 * Splits a backup's text into lines until one that begins with `COPY`, then its rows in chunks until the line `\.`.
 * Rows never contain that line, because COPY doubles backslashes. Throws `cut off` for text that ends elsewhere, and
 * `line too long` for anything that cannot be a line of a backup.
 */
export async function* readBlocks(chunks: AsyncIterable<Buffer>): AsyncGenerator<BackupPart> {
  // Within rows its first byte was already returned: the newline before a row can belong to the line above.
  let rest: Buffer = Buffer.alloc(0);
  let inRows = false;
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      if (inRows) {
        const at = rest.indexOf(end);
        if (at < 0) {
          const last = rest.length - end.length;
          if (last > 0) {
            yield { rows: rest.subarray(1, last + 1) };
            rest = rest.subarray(last);
          }
          break;
        }
        if (at > 0) yield { rows: rest.subarray(1, at + 1) };
        yield { rowsEnd: true };
        rest = rest.subarray(at + end.length);
        inRows = false;
      } else {
        const at = rest.indexOf(10);
        if (at < 0 ? rest.length > maxLineBytes : at > maxLineBytes) throw new Error('line too long');
        if (at < 0) break;
        const line = rest.toString('utf8', 0, at);
        yield { line };
        inRows = line.startsWith('COPY ');
        rest = rest.subarray(inRows ? at : at + 1);
      }
    }
  }
  if (rest.length > 0 || inRows) throw new Error('cut off');
}
