import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { listBackups } from '../../../src/service/backups/backup-place.ts';
import { readKeepRule } from '../../../src/service/backups/keep-rule.ts';
import { openS3Place } from '../../../src/service/backups/s3-place.ts';
import { loadConfig } from '../../../src/service/config.ts';
import { runInProcess } from '../../support/run-in-process.ts';
import { type S3Server, startS3Server } from '../../support/s3-server.ts';
import { databaseUrl } from '../../support/test-database.ts';
import { backUp, createEmptyDatabase, createFilledDatabase } from './made-database.ts';

const address = 's3://lake/backups of tests';
const key = 'the-key-of-these-backups';
const database = await createFilledDatabase(6_000);
let server: S3Server;

beforeAll(async () => {
  server = await startS3Server();
});

afterAll(() => server.close());

beforeEach(() => {
  server.fault.of = () => null;
  server.requests.length = 0;
});

const settings = { keep: readKeepRule('1d'), key, check: 'restore' as const };
/** A place whose parts are small enough for a backup of many. */
const openPlace = async (signal = new AbortController().signal) =>
  await openS3Place(address, loadConfig(server.env).s3, { signal, pauseMs: 1, partBytes: 40_000 });
const configOf = (url: string) =>
  loadConfig({ ...server.env, DATABASE_URL: url, BACKUP_TO: address, BACKUP_KEY: key });

it('one is sent in parts, verified as it lies there, thinned out, and restored from its address', async () => {
  const place = await openPlace();
  await backUp(database, '2026-07-28T03:00:00Z', { place, settings: { ...settings, check: 'read' } });
  const parts = server.requests.filter((line) => /^PUT .*partNumber=\d+/.test(line));
  expect(parts.length).toBeGreaterThan(3);
  // Answers that are lost, and a server that asks for patience.
  let requests = 0;
  server.fault.of = (method) => {
    requests += 1;
    if (method === 'PUT' && requests % 5 === 0) return 503;
    return requests % 7 === 0 ? 'cut' : null;
  };
  const { attempt, removed } = await backUp(database, '2026-07-30T03:00:00Z', { place, settings });
  server.fault.of = () => null;
  expect(attempt).toMatchObject({ outcome: 'good', checked: 'restored', place: address });
  expect(removed).toEqual(['offerbook-20260728T030000Z.backup.gz.encrypted']);
  expect(await listBackups(place)).toEqual([
    expect.objectContaining({ name: attempt.name, check: 'restored', bytes: attempt.bytes }),
  ]);
  const listed = await runInProcess(['backup', 'list'], configOf(databaseUrl(database.target)));
  expect(listed.stdout).toContain(attempt.name);
  const empty = await createEmptyDatabase();
  const { code, notes, stdout } = await runInProcess(
    ['restore', `${address}/${attempt.name}`, '--json'],
    configOf(empty.url),
  );
  expect([code, notes, JSON.parse(stdout).rows]).toEqual([0, [], attempt.rows]);
  const missing = await runInProcess(['restore', `${address}/none.gz`], configOf(empty.url));
  expect(missing.notes.join()).toMatch(/There is no none.gz in s3:.*backup list/);
});

it('one that is stopped or refused in the middle leaves no object, and no older one is removed', async () => {
  const place = await openPlace();
  const before = await listBackups(place);
  expect(before).toHaveLength(1);
  const stopping = new AbortController();
  server.fault.of = (_, path) => {
    if (/partNumber=3/.test(path)) stopping.abort(new Error('stopped'));
    return null;
  };
  const stopped = backUp(database, '2026-07-31T03:00:00Z', {
    place: await openPlace(stopping.signal),
    settings,
    signal: stopping.signal,
  });
  await expect(stopped).rejects.toThrow('stopped');
  server.fault.of = (_, path) => (/partNumber=2/.test(path) ? { status: 403, code: 'AccessDenied' } : null);
  const refused = backUp(database, '2026-08-01T03:00:00Z', { place, settings });
  await expect(refused).rejects.toThrow(/refuses PUT \(403 AccessDenied\): the key may not do this/);
  server.fault.of = () => null;
  expect(await listBackups(place)).toEqual(before);
  const rows = await database.sql<{ outcome: string }[]>`select outcome from backup order by id`;
  // One that was stopped is made again by its job, and is no failure.
  expect(rows.map(({ outcome }) => outcome)).toEqual(['good', 'good', 'failed']);
});

it('uploads that a killed backup has left are ended, and an upload that S3 cannot complete has failed', async () => {
  const asked: string[] = [];
  const name = 'offerbook-20260730T030000Z.backup.gz';
  const stub = createServer((request, response) => {
    const { method = '', url = '' } = request;
    asked.push(`${method} ${url}`);
    request.resume();
    const uploads = [name, 'of-others.bin']
      .map((key) => `<Upload><Key>a/${key}</Key><UploadId>id of ${key}</UploadId></Upload>`)
      .join('');
    const answers: Record<string, string> = {
      GET: `<ListMultipartUploadsResult>${uploads}</ListMultipartUploadsResult>`,
      POST: /uploads=/.test(url)
        ? '<UploadId>new</UploadId>'
        : '<Error><Code>InternalError</Code><Message>We encountered an error</Message></Error>',
    };
    response.setHeader('etag', '"one"').end(answers[method] ?? '');
  });
  await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void stub.close());
  const endpoint = `http://127.0.0.1:${(stub.address() as AddressInfo).port}`;
  const { s3 } = loadConfig({ ...server.env, AWS_ENDPOINT_URL_S3: endpoint });
  const { signal } = new AbortController();
  const place = await openS3Place('s3://bucket/a', s3, { signal, pauseMs: 1, partBytes: 10 });
  await place.clear();
  expect(asked.filter((line) => line.startsWith('DELETE'))).toEqual([
    `DELETE /bucket/a/${name}?uploadId=id%20of%20${name}`,
  ]);
  const written = place.write(name, (file) => pipeline([Buffer.alloc(25)], file));
  await expect(written).rejects.toThrow(/could not put .* together \(InternalError\)/);
  expect(asked.at(-1)).toBe(`DELETE /bucket/a/${name}?uploadId=new`);
});
