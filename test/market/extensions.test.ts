import { describe, expect, it } from 'vitest';
import { defaultDialect, parseDialect } from '../../src/market/vast/dialect.ts';
import { actGood, present } from './every-call.ts';
import { reply, startScriptedServer } from './scripted-server.ts';
import { createTestClient, errorOf } from './test-client.ts';
import { sentBy, startMarket } from './wire.ts';

const range = { from: new Date('2026-01-01T00:00:00.5Z'), to: new Date('2026-01-31T00:00:00.5Z') };
const empty = { success: true, count: 0, total: 0, next_token: null, results: [] };

it('an account lacks the calls that the dialect switches off', async () => {
  const off = { charges: false, bidChange: false, labelChange: false, volumes: false };
  expect(Object.keys(off)).toEqual(Object.keys(defaultDialect.extensions));
  const dialect = parseDialect(JSON.stringify({ extensions: off }), 'd');
  const { client } = await startMarket([empty], { dialect });
  expect(client.extensions).toEqual({ charges: null, changeBid: null, changeLabel: null, volumes: null });
});

describe('charges', () => {
  it('are requested by day and type', async () => {
    const sent = await sentBy(
      ({ extensions }) => present(extensions.charges).readChargePage(range, 'tok'),
      empty,
    );
    expect(sent).toMatchObject({ method: 'GET', path: '/api/v0/charges/', key: 'reading' });
    expect(sent.query).toEqual({
      select_filters: JSON.stringify({
        day: { gte: 1_767_225_600, lte: 1_769_817_601 },
        type: { in: ['instance', 'volume', 'serverless'] },
      }),
      latest_first: 'true',
      limit: '100',
      after_token: 'tok',
    });
  });

  it('are requested differently for each key of the dialect', async () => {
    const charges = {
      ...{ path: '/c', filtersParameter: 'f', newestFirstParameter: 'n', tokenParameter: 't' },
      ...{ types: ['gpu'], pageLimit: 3, maxPageLimit: 4 },
    };
    expect(Object.keys(charges)).toEqual(Object.keys(defaultDialect.charges));
    const options = { dialect: parseDialect(JSON.stringify({ charges }), 'd') };
    const { client, sent } = await startMarket([empty], options);
    const calls = present(client.extensions.charges);
    await calls.readChargePage(range, 'x');
    expect(sent()[0]).toMatchObject({ path: '/c', query: { n: 'true', limit: '3', t: 'x' } });
    expect(sent()[0]?.query.f).toContain('"type":{"in":["gpu"]}');
    await expect(calls.readChargePage({ ...range, limit: 5 }, null)).rejects.toThrow(
      /a page holds 4 at most/,
    );
  });

  it.each([
    [{ limit: 0 }, /limit 0/],
    [{ limit: 501 }, /500 at most/],
    [{ types: [] }, /list of types is empty/],
    [{ from: range.to, to: range.from }, /from must be before to/],
  ])('are refused before anything is sent: %j', async (changes, text) => {
    const { client, sent } = await startMarket([empty]);
    const call = present(client.extensions.charges).readChargePage({ ...range, ...changes }, null);
    await expect(call).rejects.toThrow(text);
    expect(sent()).toHaveLength(0);
  });

  it('keep every digit of their amounts and items, and name their instance', async () => {
    const item = '{"type":"gpu","description":"96.000 hours at $0.389/hour","amount":37.3440}';
    const row = `{"start":1767225600,"end":1767571200,"type":"instance","source":"instance-123","amount":37.40,"metadata":{"label":"job","template_id":5},"items":[${item},{"type":"new","amount":0.056}]}`;
    const bad = row.replace('0.056', '"x"');
    const volume = row.replace('instance-123', 'volume-9');
    const text = `{"success":true,"count":3,"total":3,"next_token":null,"results":[${row},${bad},${volume}]}`;
    const { baseUrl } = await startScriptedServer(reply(200, text));
    const calls = present(createTestClient(baseUrl).client.extensions.charges);
    const page = await calls.readChargePage(range, null);
    expect(page.rejected).toEqual([{ reason: 'items: amount not readable' }]);
    expect(page.entries.map(({ instanceId }) => instanceId)).toEqual([123, null]);
    expect(page.entries[0]).toMatchObject({
      ...{
        type: 'instance',
        source: 'instance-123',
        amountUsd: '37.40',
        label: 'job',
        templateId: 5,
        raw: row,
      },
      items: [
        { type: 'gpu', description: '96.000 hours at $0.389/hour', amountUsd: '37.3440', startAt: null },
        { type: 'new', description: null, amountUsd: '0.056' },
      ],
    });
  });

  it('are read page by page', async () => {
    const page = (amount: number, next_token: string | null) => ({
      ...{ success: true, count: 1, total: 2, next_token, results: [{ start: 1, amount }] },
    });
    const { client, sent } = await startMarket([page(1, 'a'), page(2, null)]);
    const amounts: string[] = [];
    for await (const { entries } of present(client.extensions.charges).listCharges(range)) {
      amounts.push(...entries.map(({ amountUsd }) => amountUsd));
    }
    expect(amounts).toEqual(['1', '2']);
    expect(sent().map(({ query }) => query.after_token)).toEqual([undefined, 'a']);
  });
});

describe('bid and label', () => {
  it('are changed with the acting key', async () => {
    const bid = await sentBy(({ extensions }) => present(extensions.changeBid)(7, 0.25), actGood);
    expect(bid).toMatchObject({ method: 'PUT', path: '/api/v0/instances/bid_price/7/', key: 'acting' });
    expect(bid.body).toEqual({ client_id: 'me', price: 0.25 });
    const label = await sentBy(({ extensions }) => present(extensions.changeLabel)(7, 'a #r'), actGood);
    expect(label).toMatchObject({ method: 'PUT', path: '/api/v0/instances/7/', key: 'acting' });
    expect(label.body).toEqual({ label: 'a #r' });
  });

  it('are sent as the dialect says', async () => {
    const text = JSON.stringify({
      instances: { labelParameter: 'name' },
      bid: {
        changePath: '/bid/{id}',
        changeClientId: null,
        priceParameter: 'p',
        minUsdPerHour: 1,
        maxUsdPerHour: 2,
      },
    });
    const options = { dialect: parseDialect(text, 'd') };
    const bid = await sentBy(({ extensions }) => present(extensions.changeBid)(7, 1.5), actGood, options);
    expect(bid).toMatchObject({ path: '/bid/7', body: { p: 1.5 } });
    const label = await sentBy(({ extensions }) => present(extensions.changeLabel)(7, ''), actGood, options);
    expect(label.body).toEqual({ name: '' });
    const { client } = await startMarket([actGood], options);
    await expect(present(client.extensions.changeBid)(7, 0.5)).rejects.toThrow(/from 1 to 2/);
    await expect(present(client.extensions.changeLabel)(1.5, 'x')).rejects.toThrow(/instance 1.5/);
  });
});

describe('volumes', () => {
  it('are created from an offer, with the acting key', async () => {
    const { client, sent } = await startMarket([{ success: true, volume_name: 'V.5' }]);
    expect(await client.createVolume({ volumeOfferId: 28, sizeGb: 20 })).toEqual({ volumeName: 'V.5' });
    await client.createVolume({ volumeOfferId: 28 });
    const common = { method: 'PUT', path: '/api/v0/volumes', key: 'acting' };
    expect(sent()).toMatchObject([{ ...common, body: { id: 28, size: 20 } }, common]);
    expect(sent()[1]?.body).toEqual({ id: 28 });
    await expect(client.createVolume({ volumeOfferId: 1.5 })).rejects.toThrow(/volume offer 1.5/);
    await expect(client.createVolume({ volumeOfferId: 1, sizeGb: 0 })).rejects.toThrow(/volume size 0/);
    const nameless = await startMarket([{ success: true }]);
    const error = await errorOf(nameless.client.createVolume({ volumeOfferId: 1 }));
    expect(error).toMatchObject({ kind: 'contract', outcome: 'unknown' });
  });

  it('are searched, listed and deleted', async () => {
    const offers = [{ id: 3, machine_id: 4, storage_cost: 0.1, disk_space: 500 }, { id: 'x' }];
    const volumes = [
      { id: 5, status: 'ready', disk_space: 20, start_date: 1_767_225_600, instances: [7, 'x'] },
    ];
    const { client, sent } = await startMarket([{ offers }, { volumes }, { success: true }]);
    const calls = present(client.extensions.volumes);
    expect(await calls.searchVolumeOffers({ machineId: 4, volumeOfferId: 3 })).toMatchObject({
      offers: [{ volumeOfferId: 3, machineId: 4, diskSpaceGb: 500, storageUsdPerGbMonth: 0.1 }],
      rejected: [{ reason: 'id: not readable' }],
    });
    expect((await calls.listVolumes()).volumes).toMatchObject([
      { volumeId: 5, status: 'ready', sizeGb: 20, startedAt: new Date('2026-01-01'), instanceIds: [7] },
    ]);
    await calls.deleteVolume(5);
    expect(sent()).toMatchObject([
      {
        method: 'POST',
        path: '/api/v0/volumes/search/',
        key: 'reading',
        body: { machine_id: { eq: 4 }, id: { eq: 3 }, limit: 64 },
      },
      { method: 'GET', path: '/api/v0/volumes/', key: 'reading', body: null },
      { method: 'DELETE', path: '/api/v0/volumes/', key: 'acting', body: { id: 5 }, query: {} },
    ]);
    await expect(calls.searchVolumeOffers({ limit: 0 })).rejects.toThrow(/limit 0/);
    await expect(calls.deleteVolume(-1)).rejects.toThrow(/volume -1/);
  });

  it('are deleted by a query parameter if the dialect says so', async () => {
    const options = { dialect: parseDialect('{"volumes":{"deleteIdIn":"query"}}', 'd') };
    const sent = await sentBy(
      ({ extensions }) => present(extensions.volumes).deleteVolume(5),
      actGood,
      options,
    );
    expect(sent).toMatchObject({ body: null, query: { id: '5' } });
  });
});
