import { expect, it } from 'vitest';
import { readTraceId } from '../../src/core/trace.ts';
import { addressWithoutSecrets } from '../../src/database/address-without-secrets.ts';
import { statementText } from '../../src/database/statement-text.ts';
import { createLifeLog } from '../../src/service/life-log.ts';

const w3c = '4bf92f3577b34da6a3ce929d0e0e4736';

it.each<[Record<string, string>, string | null]>([
  [{}, null],
  [{ traceparent: `00-${w3c}-00f067aa0ba902b7-01` }, w3c],
  [{ traceparent: `00-${w3c}-00f067aa0ba902b7-01`, 'x-request-id': 'mine' }, w3c],
  [{ traceparent: `01-${w3c}-00f067aa0ba902b7-01-of-later-versions` }, w3c],
  [{ traceparent: `ff-${w3c}-00f067aa0ba902b7-01`, 'x-request-id': 'mine' }, 'mine'],
  [{ traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` }, null],
  [{ traceparent: `00-${w3c}-${'0'.repeat(16)}-01` }, null],
  [{ traceparent: `00-${w3c.toUpperCase()}-00f067aa0ba902b7-01` }, null],
  [{ 'x-request-id': 'order:7_a.b-C' }, 'order:7_a.b-C'],
  [{ 'x-request-id': 'x'.repeat(129) }, null],
  [{ 'x-request-id': 'a "quoted" line' }, null],
])('a request with %j brings the trace id %j', (headers, traceId) => {
  expect(readTraceId((name) => headers[name])).toBe(traceId);
});

it.each([
  ['select $1, name_2 from\n  book where id = $2', 'select $1, name_2 from book where id = $2'],
  [
    "copy (select 17, 1.5e3::float8, 'it''s' from t1) to stdout",
    'copy (select ?, ?::float8, ? from t1) to stdout',
  ],
  ["select E'a\\'secret', $x$secret '1'$x$, '2026-01-01'::date", 'select ?, ?, ?::date'],
  [`select ${'column_name, '.repeat(60)}`, `${`select ${'column_name, '.repeat(60)}`.slice(0, 600)}…`],
])('the statement %j is logged without values', (sql, text) => {
  expect(statementText(sql)).toBe(text);
});

it.each([
  ['postgres://me:secret@db.test:6432/prices?sslkey=/keys/own', 'db.test:6432/prices'],
  ['postgres:///prices?host=/run/postgresql&user=me', '/run/postgresql/prices'],
  [null, 'embedded in /data'],
])('a service on %j says at its start and stop which database it has', (databaseUrl, database) => {
  const lines: unknown[] = [];
  const write = (fields: object, message: string): void => void lines.push({ ...fields, message });
  const log = { debug: write, info: write, warn: write, error: write };
  const config = { role: 'all', databaseUrl, dataDir: '/data' } as const;
  const life = createLifeLog(log, { version: '1.2.3', config });
  life.started('http://127.0.0.1:8080');
  life.stopped('SIGTERM');
  const common = { version: '1.2.3', role: 'all', pid: process.pid, database };
  expect(lines).toEqual([
    { ...common, url: 'http://127.0.0.1:8080', message: 'started' },
    { ...common, reason: 'SIGTERM', upSeconds: 0, message: 'stopped' },
  ]);
  if (databaseUrl !== null) expect(addressWithoutSecrets(databaseUrl)).not.toMatch(/secret|me|keys/);
});
