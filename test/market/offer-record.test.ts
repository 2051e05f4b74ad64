import { describe, expect, it } from 'vitest';
import { readOfferRecord } from '../../src/market/vast/offer-record.ts';
import { smallRecord } from './test-client.ts';

const read = (changes: object) => readOfferRecord({ ...smallRecord, ...changes }, 'on-demand');
const offerOf = (changes: object) => {
  const reading = read(changes);
  if (!reading.ok) throw new Error(reading.rejected.reason);
  return reading.offer;
};

describe('a record is rejected', () => {
  it.each<[string, object]>([
    ['id: missing', { id: undefined }],
    ['id: not a whole number', { id: 1.5 }],
    ['id: not a number', { id: '7' }],
    ['id: too large', { id: 2 ** 60 }],
    ['machine_id: missing', { machine_id: null }],
    ['gpu_name: empty', { gpu_name: '' }],
    ['gpu_name: empty', { gpu_name: ' ' }],
    ['gpu_name: not text', { gpu_name: 4090 }],
    ['gpu_name: too long', { gpu_name: 'x'.repeat(201) }],
    ['num_gpus: below 1', { num_gpus: 0 }],
    ['num_gpus: not a whole number', { num_gpus: 1.5 }],
    ['num_gpus: too large', { num_gpus: 1e6 }],
    ['dph_base: negative', { dph_base: -0.01 }],
    ['dph_base: not a number', { dph_base: '0.5' }],
    ['dph_base: missing', { dph_base: undefined }],
    ['dph_base: not finite', { dph_base: Number.POSITIVE_INFINITY }],
    ['dph_base: too large', { dph_base: 1e10 }],
    ['dph_total: negative', { dph_total: -1 }],
    ['storage_cost: negative', { storage_cost: -1 }],
    ['inet_down_cost: negative', { inet_down_cost: -1 }],
    ['inet_up_cost: not a number', { inet_up_cost: true }],
    ['min_bid: negative', { min_bid: -1 }],
    ['reliability2: not a number', { reliability2: 'high' }],
    ['verification: not text', { verification: 1 }],
    ['static_ip: not true or false', { static_ip: 1 }],
    ['gpu_ids: not a list', { gpu_ids: 1 }],
    ['gpu_ids: not a number', { gpu_ids: [1, 'x'] }],
    ['gpu_ram: not a whole number', { gpu_ram: 0.5 }],
  ])('with a countable reason: %s', (reason, changes) => {
    const id = 'id' in changes && !Number.isSafeInteger(changes.id) ? null : 7;
    expect(read(changes)).toMatchObject({ ok: false, rejected: { reason, offerId: id } });
  });

  it.each([null, 'text', 7, [], undefined])('when it is no object: %j', (record) => {
    const reading = readOfferRecord(record, 'bid');
    expect(reading).toMatchObject({
      ok: false,
      rejected: { reason: 'record: not an object', offerId: null },
    });
  });

  it('when it is nested too deeply to be stored', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    const reading = read({ deep });
    expect(reading).toMatchObject({
      ok: false,
      rejected: { reason: 'record: nested too deeply', offerId: 7 },
    });
  });
});

describe('an offer', () => {
  it('needs only the required fields; the rest is null, never 0', () => {
    const { raw, ...offer } = offerOf({});
    expect(JSON.parse(raw)).toEqual(smallRecord);
    const known = { offerId: 7, machineId: 70, gpuName: 'RTX 4090', numGpus: 2, type: 'on-demand' };
    expect(offer).toMatchObject({ ...known, baseUsdPerHour: 0.5, listedUsdPerHour: 0.502 });
    const others = Object.values(offer).filter((value) => value === null);
    expect(others).toHaveLength(Object.keys(offer).length - 7);
  });

  it('distinguishes 0 from null and has no −0', () => {
    expect(offerOf({ dlperf: 0, storage_cost: null, inet_up: 0 })).toMatchObject({
      dlperf: 0,
      storageUsdPerGbMonth: null,
      inetUp: 0,
    });
    const { baseUsdPerHour, minBidUsdPerHour } = offerOf({ dph_base: -0, min_bid: -0 });
    expect([baseUsdPerHour, minBidUsdPerHour].map((value) => Object.is(value, 0))).toEqual([true, true]);
  });

  it.each([
    ['Italy, IT', 'IT'],
    [', US', 'US'],
    ['District of Columbia, US ', 'US'],
    ['de', 'DE'],
    ['Mars', null],
    ['Somewhere, Italy', null],
    ['', null],
    [null, null],
  ])('with geolocation %j has country %j', (geolocation, country) => {
    expect(offerOf({ geolocation }).country).toBe(country);
  });

  it('prefers reliability2 to reliability, and accepts neither outside 0 to 1', () => {
    expect(offerOf({ reliability2: 0.9, reliability: 0.8 }).reliability).toBe(0.9);
    expect(offerOf({ reliability2: null, reliability: 0.8 }).reliability).toBe(0.8);
    expect(offerOf({ reliability2: 1.2 }).reliability).toBeNull();
    expect(offerOf({ reliability2: -0.1 }).reliability).toBeNull();
  });

  it('has null for unknown and impossible values', () => {
    const offer = offerOf({ verification: 'premium', dlperf: -1, gpu_ids: [], hosting_type: null });
    expect(offer).toMatchObject({ verification: null, dlperf: null, gpuIds: null, datacenter: null });
    expect(JSON.parse(offer.raw)).toMatchObject({ verification: 'premium', dlperf: -1, gpu_ids: [] });
    expect([0, 1, 2].map((type) => offerOf({ hosting_type: type }).datacenter)).toEqual([false, true, true]);
  });

  it('reads the processor and the longest rental, which never reject a record', () => {
    expect(offerOf({ cpu_name: ' Xeon ', cpu_cores_effective: 10.5, duration: 90_000 })).toMatchObject({
      cpuName: 'Xeon',
      cpuCoresEffective: 10.5,
      maxDurationHours: 25,
    });
    for (const odd of [
      { cpu_name: 7, cpu_cores_effective: '8', duration: '1 day' },
      { cpu_name: ' ', cpu_cores_effective: -1, duration: -1 },
      { cpu_name: 'x'.repeat(201), duration: null },
    ]) {
      expect(offerOf(odd)).toMatchObject({
        cpuName: null,
        cpuCoresEffective: null,
        maxDurationHours: null,
      });
    }
  });

  it('keeps unknown fields and drops secrets at any depth', () => {
    const { raw } = offerOf({
      sla_new: { deep: [1, { jupyter_token: 'a' }] },
      jupyter_token: 'b',
      instance_api_key: 'c',
      mentions: 'jupyter_token',
    });
    expect(JSON.parse(raw)).toEqual({
      ...smallRecord,
      sla_new: { deep: [1, {}] },
      mentions: 'jupyter_token',
    });
  });

  it.each(['jupyter_token', 'instance_api_key'])('drops %s if it is the only secret', (name) => {
    expect(JSON.parse(offerOf({ [name]: 'x' }).raw)).toEqual(smallRecord);
  });

  it('has U+0000 and lone surrogates replaced in names, keys and values, and keeps pairs and escapes', () => {
    const reading = read({
      gpu_name: 'A\0',
      'k\ud800': ['\udc00x', '\ud83d\ude00'],
      safe: '\\u0000',
      __proto__x: 1,
    });
    expect(reading).toMatchObject({ ok: true, replacedCharacters: 3, offer: { gpuName: 'A\uFFFD' } });
    if (!reading.ok) return;
    expect(JSON.parse(reading.offer.raw)).toMatchObject({
      'k\uFFFD': ['\uFFFDx', '\u{1F600}'],
      safe: '\\u0000',
    });
  });

  it('keeps a field named __proto__', () => {
    const record = JSON.parse(
      `{"__proto__":{"a":1},"note":"\\u0000",${JSON.stringify(smallRecord).slice(1)}`,
    );
    const reading = readOfferRecord(record, 'bid');
    expect(reading.ok && reading.offer.raw).toContain('"__proto__":{"a":1}');
  });
});
