import { describe, expect, it } from 'vitest';
import { defaultDialect, parseDialect } from '../../src/market/vast/dialect.ts';
import { reply, startScriptedServer } from './scripted-server.ts';
import { anyQuery, createTestClient, errorOf, smallRecord, testKey } from './test-client.ts';

async function wireOf(
  query: Parameters<ReturnType<typeof createTestClient>['client']['searchOffers']>[0],
  dialect = defaultDialect,
) {
  const { baseUrl, received } = await startScriptedServer(reply(200, { offers: [] }));
  await createTestClient(baseUrl, { dialect }).client.searchOffers(query);
  const [request] = received;
  if (request === undefined) throw new Error('nothing was sent');
  return { ...request, body: JSON.parse(request.body) };
}

describe('what is sent', () => {
  it('is a search with every filter and the key, to the path of the dialect', async () => {
    const { method, url, headers, body } = await wireOf(anyQuery);
    expect([method, url]).toEqual(['POST', '/api/v0/bundles/']);
    expect(headers).toMatchObject({ authorization: `Bearer ${testKey}`, 'content-type': 'application/json' });
    expect(body).toEqual({
      type: 'on-demand',
      limit: 100,
      order: [['id', 'asc']],
      allocated_storage: 8,
      rentable: { eq: true },
      rented: { eq: false },
      verification: { in: ['verified', 'unverified', 'deverified'] },
    });
  });

  it('has pages, models, prices and tiers as filters', async () => {
    const byId = await wireOf({
      ...anyQuery,
      afterId: 41,
      gpuNames: ['A100 SXM4'],
      verification: ['verified'],
    });
    expect(byId.body).toMatchObject({
      id: { gt: 41 },
      gpu_name: { eq: 'A100 SXM4' },
      verification: { in: ['verified'] },
    });
    const byPrice = await wireOf({
      ...anyQuery,
      order: 'price-id',
      minUsdPerHour: 0.25,
      gpuNames: ['A', 'B'],
    });
    expect(byPrice.body).toMatchObject({
      order: [
        ['dph_total', 'asc'],
        ['id', 'asc'],
      ],
      dph_total: { gte: 0.25 },
      gpu_name: { in: ['A', 'B'] },
    });
    const plateau = await wireOf({ ...anyQuery, type: 'bid', exactUsdPerHour: 0.25, rentable: false });
    expect(plateau.body).toMatchObject({ type: 'bid', dph_total: { eq: 0.25 }, rentable: { eq: false } });
    const others = await wireOf({ ...anyQuery, order: 'id-desc', exceptGpuNames: ['A', 'B'] });
    expect(others.body).toMatchObject({ order: [['id', 'desc']], gpu_name: { notin: ['A', 'B'] } });
  });

  it('differs with each key of the dialect', async () => {
    const text = JSON.stringify({
      search: {
        path: '/v9/find',
        typeNames: { 'on-demand': 'ondemand' },
        storageParameter: 'disk_gb',
        verificationTiers: ['gold'],
        fixedFilters: { external: { eq: false } },
      },
    });
    const { url, body } = await wireOf(anyQuery, parseDialect(text, 'test.json'));
    expect(url).toBe('/v9/find');
    expect(body).toEqual({
      type: 'ondemand',
      limit: 100,
      order: [['id', 'asc']],
      disk_gb: 8,
      rentable: { eq: true },
      external: { eq: false },
      verification: { in: ['gold'] },
    });
  });

  it('keeps the path of the base address', async () => {
    const { baseUrl, received } = await startScriptedServer(reply(200, { offers: [] }));
    await createTestClient(`${baseUrl}/proxy/`).client.searchOffers(anyQuery);
    expect(received[0]?.url).toBe('/proxy/api/v0/bundles/');
  });

  it('is refused before it is sent if the query contradicts itself', async () => {
    const { baseUrl, received } = await startScriptedServer(reply(200, { offers: [] }));
    const { client } = createTestClient(baseUrl);
    await expect(client.searchOffers({ ...anyQuery, gpuNames: [] })).rejects.toThrow(RangeError);
    await expect(client.searchOffers({ ...anyQuery, minUsdPerHour: 1, exactUsdPerHour: 1 })).rejects.toThrow(
      RangeError,
    );
    expect(received).toHaveLength(0);
  });
});

describe('what is read', () => {
  it('counts bad rows and keeps the good ones and every id, in order', async () => {
    const offers = [{ ...smallRecord, id: 9 }, { ...smallRecord, id: 3, dph_base: -1 }, 'text', smallRecord];
    const { baseUrl } = await startScriptedServer(reply(200, { offers }));
    const page = await createTestClient(baseUrl).client.searchOffers(anyQuery);
    expect(page.offers.map(({ offerId }) => offerId)).toEqual([9, 7]);
    expect(page.rejected).toEqual([
      { reason: 'dph_base: negative', offerId: 3 },
      { reason: 'record: not an object', offerId: null },
    ]);
    expect(page).toMatchObject({ rows: 4, ids: [9, 3, 7], retries: 0, throttles: 0, replacedCharacters: 0 });
    expect(page.bodyBytes).toBe(Buffer.byteLength(JSON.stringify({ offers })));
    expect(page.durationMs).toBeGreaterThan(0);
  });

  it('accepts a single offer as an object', async () => {
    const { baseUrl } = await startScriptedServer(reply(200, { offers: smallRecord }));
    const page = await createTestClient(baseUrl).client.searchOffers(anyQuery);
    expect(page.offers).toMatchObject([{ offerId: 7, gpuName: 'RTX 4090', type: 'on-demand' }]);
    expect(page.rows).toBe(1);
  });

  it('replaces what PostgreSQL cannot store, and counts it wherever it came from', async () => {
    const text = JSON.stringify({ offers: [smallRecord] })
      .replace('RTX 4090', 'RTX\\u0000 \\ud800 4090')
      .replace('"machine_id"', '"note":"RAW","machine_id"');
    const [before, after] = text.split('RAW');
    const body = Buffer.concat([
      Buffer.from(String(before)),
      Buffer.from([0xff, 0x00]),
      Buffer.from(String(after)),
    ]);
    const { baseUrl } = await startScriptedServer(reply(200, body));
    const page = await createTestClient(baseUrl).client.searchOffers(anyQuery);
    expect(page.offers[0]?.gpuName).toBe('RTX\uFFFD \uFFFD 4090');
    expect(JSON.parse(String(page.offers[0]?.raw))).toMatchObject({ note: '\uFFFD\uFFFD' });
    expect(page.replacedCharacters).toBe(4);
  });

  it('refuses an answer without offers and says what it contains instead', async () => {
    const answers = [{ results: [] }, { offers: null }, { offers: 'none' }, {}];
    for (const answer of answers) {
      const { baseUrl, received } = await startScriptedServer(reply(200, answer));
      const error = await errorOf(createTestClient(baseUrl).client.searchOffers(anyQuery));
      expect(error).toMatchObject({ kind: 'contract', httpStatus: 200, endpoint: 'POST /api/v0/bundles/' });
      expect(error.message).toContain('without a list of `offers`');
      expect(received).toHaveLength(1);
    }
  });
});
