import type { CallToolResult, JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** Longest text inside an answer that is too long as it is; identifiers are shorter. */
const maxTextBytes = 300;
const maxErrorBytes = 2_000;

/** Returns the bytes of a value as JSON. */
export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Returns a text, or its beginning if as JSON it has more bytes. */
export function cutText(text: string, maxBytes: number): string {
  if (bytesOf(text) <= maxBytes) return text;
  let left = maxBytes - bytesOf('…');
  let kept = '';
  for (const character of text) {
    left -= bytesOf(character) - bytesOf('');
    if (left < 0) break;
    kept += character;
  }
  return `${kept}…`;
}

/**
 * Returns an answer whose JSON has at most `maxBytes`: long texts are cut first. Then the longest lists are cut at
 * their end, the one named in `keepLast` at its start. Throws an error if that is not enough.
 */
export function shorten<T extends object>(
  answer: T,
  maxBytes: number,
  keepLast: string | null = null,
): { answer: T; leftOut: number } {
  if (bytesOf(answer) <= maxBytes) return { answer, leftOut: 0 };
  const short = cutTexts(answer) as T;
  let over = bytesOf(short) - maxBytes;
  const lists = Object.entries(short).flatMap(([name, value]: [string, unknown]) => {
    if (!Array.isArray(value)) return [];
    const items: unknown[] = name === keepLast ? value.toReversed() : value;
    const sizes = items.map((item, index) => bytesOf(item) + (index === 0 ? 0 : 1));
    return [{ name, items, sizes, bytes: sizes.reduce((sum, size) => sum + size, 0) }];
  });
  let leftOut = 0;
  while (over > 0) {
    const longest = lists.reduce<(typeof lists)[number] | null>(
      (found, list) => (found === null || list.bytes > found.bytes ? list : found),
      null,
    );
    const size = longest?.sizes.pop();
    if (longest === null || size === undefined) {
      throw new Error('The answer is too long for an agent: ask for less, or look at the page.');
    }
    longest.bytes -= size;
    over -= size;
    leftOut += 1;
  }
  const kept = lists.map(({ name, items, sizes }) => {
    const first = items.slice(0, sizes.length);
    return [name, name === keepLast ? first.reverse() : first];
  });
  return { answer: { ...short, ...Object.fromEntries(kept) }, leftOut };
}

function cutTexts(value: unknown): unknown {
  if (typeof value === 'string') return cutText(value, maxTextBytes);
  if (Array.isArray(value)) return value.map(cutTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cutTexts(each)]));
}

/** Returns a message whose words are cut if it says that something failed. */
export function shortenError(message: JSONRPCMessage): JSONRPCMessage {
  if ('error' in message) {
    const { code, message: words } = message.error;
    return { ...message, error: { code, message: cutText(words, maxErrorBytes) } };
  }
  if (!('result' in message) || message.result.isError !== true) return message;
  const { content, ...result } = message.result as CallToolResult;
  const short = content.map((part) =>
    part.type === 'text' ? { ...part, text: cutText(part.text, maxErrorBytes) } : part,
  );
  return { ...message, result: { ...result, content: short } };
}
