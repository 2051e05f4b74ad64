import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { reply, startScriptedServer } from '../scripted-server.ts';
import { anyQuery, createTestClient, errorOf, smallRecord } from '../test-client.ts';

const json = JSON.stringify({ offers: [smallRecord] });

describe('a compressed body', () => {
  it.each([
    ['gzip', gzipSync(json)],
    ['br', brotliCompressSync(json)],
    ['deflate', deflateSync(json)],
    ['Deflate', deflateRawSync(json)],
    ['gzip, br', brotliCompressSync(gzipSync(json))],
    ['identity', Buffer.from(json)],
  ])('is read: %s', async (encoding, body) => {
    const { baseUrl, received } = await startScriptedServer(
      reply(200, body, { 'content-encoding': encoding }),
    );
    const page = await createTestClient(baseUrl).client.searchOffers(anyQuery);
    expect(page).toMatchObject({ rows: 1, bodyBytes: json.length, retries: 0 });
    expect(received[0]?.headers['accept-encoding']).toBe('gzip, deflate, br');
  });

  it('is read for errors too', async () => {
    const body = gzipSync(JSON.stringify({ error: 'bad', msg: 'why' }));
    const { baseUrl } = await startScriptedServer(reply(400, body, { 'content-encoding': 'gzip' }));
    const error = await errorOf(createTestClient(baseUrl).client.searchOffers(anyQuery));
    expect(error.message).toContain('bad: why');
  });

  it.each([
    ['cut short', gzipSync(json).subarray(0, -12)],
    ['corrupt', Buffer.from('no gzip at all, but long enough to be tried')],
  ])('is requested again if it is %s', async (_name, body) => {
    const zipped = { 'content-encoding': 'gzip' };
    const { baseUrl } = await startScriptedServer(
      reply(200, body, zipped),
      reply(200, gzipSync(json), zipped),
    );
    const page = await createTestClient(baseUrl).client.searchOffers(anyQuery);
    expect(page).toMatchObject({ rows: 1, retries: 1 });
  });
});

describe('the body limit', () => {
  const plain = json + ' '.repeat(2_000 - json.length);

  it('accepts a body of exactly the limit and refuses one more byte without a retry', async () => {
    const { baseUrl, received } = await startScriptedServer(reply(200, plain));
    const fits = createTestClient(baseUrl, { maxBodyBytes: 2_000 }).client;
    expect(await fits.searchOffers(anyQuery)).toMatchObject({ rows: 1, bodyBytes: 2_000 });
    const error = await errorOf(
      createTestClient(baseUrl, { maxBodyBytes: 1_999 }).client.searchOffers(anyQuery),
    );
    expect(error.kind).toBe('too_large');
    expect(error.message).toContain('MARKET_MAX_BODY_MB');
    expect(received).toHaveLength(2);
  });

  it('counts decompressed bytes and stops a decompression bomb long before its end', async () => {
    const bomb = gzipSync(Buffer.alloc(300_000_000, 32), { level: 1 });
    const twice = gzipSync(gzipSync(Buffer.alloc(50_000_000, 32)));
    const before = process.memoryUsage().arrayBuffers;
    for (const [encoding, body] of [
      ['gzip', bomb],
      ['gzip, gzip', twice],
    ] as const) {
      const { baseUrl } = await startScriptedServer(reply(200, body, { 'content-encoding': encoding }));
      const error = await errorOf(createTestClient(baseUrl).client.searchOffers(anyQuery));
      expect(error.kind).toBe('too_large');
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30_000_000);
  });

  it('stops an endless error page and reports its status', async () => {
    const { baseUrl } = await startScriptedServer((response) => {
      response.writeHead(400);
      const timer = setInterval(() => response.write('x'.repeat(40_000)), 1);
      response.on('close', () => clearInterval(timer));
    });
    const error = await errorOf(createTestClient(baseUrl).client.searchOffers(anyQuery));
    expect(error).toMatchObject({ kind: 'http', httpStatus: 400 });
    expect(error.message.length).toBeLessThan(300);
  });
});
