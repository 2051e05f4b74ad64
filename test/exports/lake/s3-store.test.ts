import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LakeStore } from '../../../src/exports/lake/lake-store.ts';
import { s3AccessOf } from '../../../src/exports/lake/s3-settings.ts';
import { openS3Store } from '../../../src/exports/lake/s3-store.ts';
import { loadConfig } from '../../../src/service/config.ts';
import { backdateFiles } from '../../support/lake-files.ts';
import { type S3Server, startS3Server } from '../../support/s3-server.ts';

describe('a lake on S3', () => {
  let server: S3Server;
  let made = 0;

  beforeAll(async () => {
    server = await startS3Server();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    server.fault.of = () => null;
    server.requests.length = 0;
  });

  const { signal } = new AbortController();
  const open = async (env: Record<string, string> = {}, address?: string): Promise<LakeStore> => {
    made += 1;
    const { s3 } = loadConfig({ ...server.env, ...env });
    return await openS3Store(address ?? `s3://lake/folder ${made}/a+b`, s3, { signal, pauseMs: 1 });
  };
  const listed = async (store: LakeStore, folder: string): Promise<Map<string, number>> => {
    const found = new Map<string, number>();
    for await (const { path, bytes } of store.list(folder)) found.set(path, bytes);
    return found;
  };

  it('keeps files of any name, lists more than fit an answer, and removes them', async () => {
    const store = await open();
    const names = Array.from({ length: 1_005 }, (_, at) => `t/market=a%3Ab (1)/day=2026-01-01/part-${at}`);
    for (const name of names) await store.write(name, Buffer.from(name));
    await store.write('u/other', Buffer.alloc(0));
    const found = await listed(store, 't/');
    expect([...found.keys()].sort()).toEqual(names.toSorted());
    expect(found.get(names[7] ?? '')).toBe(names[7]?.length);
    await store.remove(names[7] ?? '');
    await store.remove(names[7] ?? '');
    expect((await listed(store, 't/')).size).toBe(1_004);
    const at = new Date('2026-01-02T03:04:05Z');
    await backdateFiles(server.folder, at);
    for await (const { writtenAt } of store.list('u/')) expect(writtenAt).toEqual(at);
  });

  it('replaces the manifest only if nobody else has', async () => {
    const store = await open();
    expect(await store.readManifest()).toBeNull();
    const first = await store.replaceManifest('{"one":1}', null);
    await expect(store.replaceManifest('{}', null)).rejects.toThrow('Another run has written');
    const second = await store.replaceManifest('{"two":2}', first);
    expect(await store.readManifest()).toEqual({ text: '{"two":2}', tag: second });
    await expect(store.replaceManifest('{}', first)).rejects.toThrow('Another run has written');
  });

  it('tries again after lost connections and answers that pass, and gives up in the end', async () => {
    const store = await open();
    const faults = [503, 'cut', 429, 500, 'cut after'] as const;
    let at = 0;
    server.fault.of = (method) => (method === 'PUT' ? (faults[at++] ?? null) : null);
    await store.write('file', Buffer.from('content'));
    expect(server.requests.filter((line) => line.startsWith('PUT'))).toHaveLength(6);
    server.fault.of = () => null;
    expect(await listed(store, '')).toEqual(new Map([['file', 7]]));
    server.fault.of = () => 503;
    server.requests.length = 0;
    await expect(store.write('file', Buffer.from('other'))).rejects.toThrow(
      /refuses PUT \(503 SlowDown\): try again later.*stays as it was/,
    );
    expect(server.requests).toHaveLength(6);
    server.fault.of = () => 'cut';
    await expect(store.remove('file')).rejects.toThrow(/cannot be reached/);
  });

  it('takes a manifest whose answer was lost for its own', async () => {
    const store = await open();
    let cut = false;
    server.fault.of = (method) => {
      if (method !== 'PUT' || cut) return null;
      cut = true;
      return 'cut after';
    };
    const tag = await store.replaceManifest('{"mine":1}', null);
    expect(await store.readManifest()).toEqual({ text: '{"mine":1}', tag });
  });

  it('says what is wrong with keys, buckets and addresses, never with a secret', async () => {
    const messageOf = async (work: Promise<unknown>): Promise<string> =>
      await work.then(
        () => 'nothing',
        (error: Error) => error.message,
      );
    const secret = 'a-secret-that-nobody-may-see';
    const wrong = await open({ AWS_SECRET_ACCESS_KEY: secret });
    const refused = await messageOf(wrong.readManifest());
    expect(refused).toMatch(/SignatureDoesNotMatch.*Check AWS_SECRET_ACCESS_KEY/);
    expect(refused).not.toContain(secret);
    const missing = await open({}, 's3://nowhere/lake');
    expect(await messageOf(missing.readManifest())).toMatch(/no bucket nowhere/);
    expect(await messageOf(missing.write('file', Buffer.from('x')))).toMatch(/bucket does not exist/);
    expect(await messageOf(open({}, 's3://'))).toMatch(/is no bucket/);
    expect(await messageOf(open({ AWS_ACCESS_KEY_ID: '' }))).toMatch(/set both/);
  });

  it.each([
    [301, 'PermanentRedirect', 'the bucket is in another region. Set AWS_REGION'],
    [307, 'TemporaryRedirect', 'the bucket is in another region. Set AWS_REGION'],
    [400, 'AuthorizationHeaderMalformed', 'the bucket is in another region. Set AWS_REGION'],
    [403, 'RequestTimeTooSkewed', "this machine's clock is wrong. Set it"],
    [302, null, 'check the address, AWS_REGION and AWS_ENDPOINT_URL_S3'],
    [400, 'Unheard', 'check the address, AWS_REGION and AWS_ENDPOINT_URL_S3'],
  ])('explains %s %s at once', async (status, code, words) => {
    const store = await open();
    server.fault.of = () => ({ status, code });
    const given = code === null ? `(${status})` : `(${status} ${code})`;
    await expect(store.write('file', Buffer.from('x'))).rejects.toThrow(`refuses PUT ${given}: ${words}. `);
    expect(server.requests).toHaveLength(1);
  });

  it('reads the settings of Amazon’s tools', () => {
    const addresses = { AWS_ENDPOINT_URL: 'http://a', AWS_ENDPOINT_URL_S3: 'http://b' };
    expect(s3AccessOf({ AWS_DEFAULT_REGION: 'us-east-1', ...addresses })).toEqual({
      ...{ accessKeyId: null, secretAccessKey: null, sessionToken: null },
      ...{ region: 'us-east-1', endpoint: 'http://b' },
    });
    const regionOf = (env: Record<string, string>): string => loadConfig(env).s3.region;
    const both = { AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'eu-central-1' };
    expect([regionOf(both), regionOf({ ...both, AWS_REGION: '' }), regionOf({})]).toEqual([
      ...['eu-west-1', 'eu-central-1', 'us-east-1'],
    ]);
    expect(() => loadConfig({ AWS_ENDPOINT_URL: 'minio:9000' })).toThrow('AWS_ENDPOINT_URL');
  });
});
