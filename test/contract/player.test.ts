import { describe, expect, it, onTestFinished } from 'vitest';
import { checkExpectation } from './expectation.ts';
import { fillTemplate, messageBytes, pivotOf } from './fill-bytes.ts';
import { type RawReply, startRawServer } from './raw-server.ts';
import { exchangeBytes, readAnswer, targetOf } from './raw-socket.ts';

const observed = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: '{"a":1}',
  json: {
    n: 5,
    text: 'Invalid user key',
    list: [
      { x: 1, t: 'a' },
      { x: 3, t: null },
    ],
    none: [],
    nil: null,
  },
};

describe('an expectation', () => {
  it.each([
    'status 200|201',
    'header content-type contains "JSON"',
    'text matches /^\\{/',
    '$.n = 5',
    '$.n != 6',
    '$.n is integer or null',
    '$.nil is null',
    '$.text contains "invalid USER key"',
    '$.text lacks "secret"',
    '$.list[*].x >= 1',
    '$.list[*].x ascending',
    '$.list[*].x distinct',
    '$.list[*].x varied',
    '$.list[*] count = 2',
    '$.none[*] count = 0',
    '$.none = []',
    '$.list[-1].x in [3,4]',
    '$.list[?t="a"].x = 1',
    'some $.list[*].t = "a"',
    'no $.list[*].x > 3',
    '$.missing absent',
    'value 5.004 about [5,0.005]',
  ])('holds: %s', (line) => {
    expect(checkExpectation(line, observed)).toBeNull();
  });

  it.each([
    'status 400',
    'header x-missing contains "a"',
    'text matches /^\\[/',
    '$.n = "5"',
    '$.n is string',
    '$.nil is string',
    '$.text contains "not there"',
    '$.text lacks "user"',
    '$.list[*].x > 1',
    '$.list[*].x descending',
    '$.list[*].t is string',
    '$.list[*].missing is string or null',
    '$.list[*] count > 2',
    '$.none[*].x = 1',
    'some $.list[*].t = "b"',
    'no $.list[*].x = 3',
    '$.missing = null',
    '$.n absent',
    '$.none[*].x varied',
    'value 5.01 about [5,0.005]',
  ])('does not hold: %s', (line) => {
    expect(checkExpectation(line, observed)).not.toBeNull();
  });

  it.each(['nonsense', '$.n almost 5', '$.n is integr', '$.n = five', '$.list[x] = 1'])(
    'is rejected as malformed: %s',
    (line) => {
      expect(() => checkExpectation(line, observed)).toThrow();
    },
  );
});

describe('the bytes of a message', () => {
  it('end head lines with CRLF, count the body and encode what is marked', () => {
    const bytes = messageBytes('GET /a?f=%({"x":1})% HTTP/1.1\nContent-Length: {{length}}\n\n{"ä":\n1}');
    expect(bytes.toString()).toBe(
      'GET /a?f=%7B%22x%22%3A1%7D HTTP/1.1\r\nContent-Length: 9\r\n\r\n{"ä":\n1}',
    );
  });

  it('have all variables filled in', () => {
    const variables = new Map<string, unknown>([
      ['now', 100],
      ['name', 'a b'],
      ['x', 'x'],
    ]);
    const filled = fillTemplate(
      '{{now-60}} {{name}} {{json:name}} {{x*3}} {{now+now}} {{length}}',
      variables,
    );
    expect(filled).toBe('40 a b "a b" xxx 200 {{length}}');
    expect(() => fillTemplate('{{other}}', variables)).toThrow('other');
  });

  it('are split at a pivot that has values on both sides', () => {
    expect(pivotOf([3, 1, null, 2, 1])).toBe(2);
    expect(pivotOf([1, 1, null])).toBeNull();
  });
});

describe('a raw socket', () => {
  async function ask(reply: RawReply, timeoutMs = 1_000): Promise<unknown> {
    const server = await startRawServer([reply]);
    onTestFinished(server.close);
    const request = Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    return await exchangeBytes(targetOf(server.url), request, timeoutMs);
  }

  it('reads an answer by its length, in chunks or to the end of the connection', async () => {
    const head = 'HTTP/1.1 200 OK\r\n';
    const answers = [
      `${head}Content-Length: 5\r\n\r\nhello`,
      `${head}Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\n\r\n`,
      `${head}\r\nhello`,
    ];
    for (const answer of answers) {
      expect(await ask(Buffer.from(answer))).toMatchObject({ status: 200, body: 'hello' });
    }
  });

  it('waits for the rest of an answer that came in part', () => {
    expect(readAnswer(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel'), false)).toBeNull();
    expect(
      readAnswer(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe'), false),
    ).toBeNull();
  });

  it('gives up on silence, a reset, a cut response and anything but HTTP', async () => {
    await expect(ask('hang', 100)).rejects.toThrow('100 ms');
    await expect(ask('reset')).rejects.toThrow();
    await expect(ask(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhel'))).rejects.toThrow(
      'ended',
    );
    await expect(ask(Buffer.from('hello\r\n\r\n'))).rejects.toThrow('status line');
  });
});
