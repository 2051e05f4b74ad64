import { setImmediate } from 'node:timers/promises';

const rowsInOnePart = 250;

/**
 * Yields a JSON object as parts of its text, with top-level lists split by rows: a response of 65 MB is never in memory
 * as one text and does not block other requests.
 */
export async function* jsonParts(body: object): AsyncGenerator<string> {
  let before = '{';
  for (const [name, value] of Object.entries(body) as [string, unknown][]) {
    if (value === undefined) continue;
    before += `${JSON.stringify(name)}:`;
    if (Array.isArray(value)) {
      for (let from = 0; from < value.length; from += rowsInOnePart) {
        const rows = JSON.stringify(value.slice(from, from + rowsInOnePart));
        yield `${before}${from === 0 ? '[' : ','}${rows.slice(1, -1)}`;
        before = '';
        if (value.length > rowsInOnePart) await setImmediate();
      }
      before += value.length === 0 ? '[]' : ']';
    } else {
      before += JSON.stringify(value);
    }
    before += ',';
  }
  yield `${before.endsWith(',') ? before.slice(0, -1) : before}}`;
}
