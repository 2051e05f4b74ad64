import { expect, it } from 'vitest';
import { createLog } from '../../src/service/create-log.ts';
import { plainLogLine } from '../../src/service/plain-log-line.ts';

/** What a service's log writes for one call, as a terminal shows it. */
function shown(fields: object, message: string, level: 'info' | 'warn' | 'error' = 'info'): string {
  let line = '';
  const log = createLog('info', (written) => {
    line = written;
  });
  log[level](fields, message);
  return plainLogLine(line.replace(/"time":"[^"]*"/, '"time":"2026-03-04T12:04:05.678Z"'), 'UTC');
}

it('a line of the log is short and plain on a terminal: time, level, message and the fields that say something', () => {
  const crawlId = '0199c0de-0000-7000-8000-000000000001';
  const book = { crawlId, market: 'vast', type: 'bid', offers: 1500, verdict: 'complete', reason: null };
  expect(shown(book, 'book stored')).toBe(
    '12:04:05 info  book stored market=vast type=bid offers=1500 verdict=complete\n',
  );
  const life = { version: '1.0.0', role: 'all', pid: 7, database: 'embedded in data', reason: 'SIGTERM' };
  expect(shown(life, 'stopped')).toBe('12:04:05 info  stopped reason=SIGTERM\n');
  expect(shown({ seconds: 3 }, '', 'warn')).toBe('12:04:05 warn   seconds=3\n');
});

it('a line says why something failed, stays one line, sends the terminal nothing and has few fields', () => {
  const err = new Error('no space\nleft \u001b[2J');
  const said = shown(
    { err, place: 'a "b" c', token: 'secret-of-mine', apiKey: 'x' },
    'a backup failed',
    'error',
  );
  expect(said).toBe(
    '12:04:05 error a backup failed: no space left \\u001b[2J place="a \\"b\\" c" token=[Redacted] apiKey=[Redacted]\n',
  );
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index}`, index]));
  expect(shown({ ...many, changed: [1, 2], gone: { a: 1 } }, 'many')).toBe(
    '12:04:05 info  many f0=0 f1=1 f2=2 f3=3 f4=4 f5=5\n',
  );
  expect(shown({ text: 'x'.repeat(5_000) }, 'long').length).toBeLessThan(300);
});

it('what is no line of the log is shown as it is', () => {
  for (const text of ['plain words\n', '{"level":30}\n', 'null', '']) expect(plainLogLine(text)).toBe(text);
});
