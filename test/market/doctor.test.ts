import { describe, expect, it, onTestFinished } from 'vitest';
import type { MarketClientOptions } from '../../src/market/vast/client.ts';
import { defaultDialect, parseDialect, withoutIntervals } from '../../src/market/vast/dialect.ts';
import { diagnose, type VastDiagnoseOptions } from '../../src/market/vast/doctor/diagnose.ts';
import { createSimulator, type SimulatorOptions } from '../../src/simulator/simulator.ts';
import { reply, startScriptedServer } from './scripted-server.ts';
import { createTestClient, smallRecord } from './test-client.ts';

const trackingRights = ['misc', 'billing_read', 'instance_read', 'user_read'];

async function startSimulator(options: SimulatorOptions = {}) {
  const simulator = createSimulator({ offersPerType: 120, cap: 50, openingCreditUsd: 10, ...options });
  onTestFinished(() => simulator.close());
  const { url } = await simulator.listen();
  for (const amountUsd of ['-1.00', '-2.50']) simulator.addInvoice({ amountUsd });
  return { simulator, url };
}

async function examine(
  url: string,
  client: Partial<MarketClientOptions>,
  options: Partial<VastDiagnoseOptions> & { probes?: boolean } = {},
) {
  const { dialect = withoutIntervals(defaultDialect) } = client;
  const market = createTestClient(url, client).client;
  const { probes, ...others } = options;
  const probeWriteRights = probes === true ? market.probeWriteRights : undefined;
  const now = () => new Date('2030-01-01');
  const common = { client: market, dialect, now, hasActKey: false, burst: 3, probeWriteRights };
  const findings = await diagnose({ ...common, ...others });
  const about = (subject: string) => findings.filter((finding) => finding.subject === subject);
  return { findings, about };
}

describe('a market that the dialect fits', () => {
  it('gets no warning, and each figure is measured', async () => {
    const { simulator, url } = await startSimulator();
    const apiKey = simulator.addKey('tracker', trackingRights);
    const { findings, about } = await examine(url, { apiKey }, { probes: true });
    expect(findings.filter(({ status }) => !['ok', 'unknown'].includes(status))).toEqual([]);
    expect(about('offers')[0]?.measured).toMatchObject({ rowCap: 50, rows: 50, asked: 5_000 });
    expect(about('paging')[0]?.measured).toEqual({ idsPage: true });
    expect(about('GPU names')).toEqual([
      expect.objectContaining({ status: 'ok', measured: { names: expect.any(Number), unknown: [] } }),
    ]);
    expect(about('tiers')[0]?.measured).toMatchObject({ missing: [] });
    expect(about('invoices')[0]?.measured).toMatchObject({ rows: 3, total: 3 });
    expect(about('invoices')[1]).toMatchObject({ status: 'ok', measured: { pages: true } });
    expect(about('limits')[0]?.measured).toMatchObject({ searches: 3, throttles: 0 });
    expect(about('key').map(({ measured }) => measured)).toEqual([
      { lacking: [] },
      { hasActKey: false },
      { beyond: [] },
    ]);
  });

  it('is only read: nothing but GET and searches is sent unless rights are probed', async () => {
    const { simulator, url } = await startSimulator();
    const { about } = await examine(url, { apiKey: simulator.apiKey });
    const changes = simulator
      .requests()
      .map(({ method, path }) => `${method} ${path.replace(/\/$/, '')}`)
      .filter(
        (request) => !request.startsWith('GET ') && !/^POST .*\/(bundles|volumes\/search)$/.test(request),
      );
    expect(changes).toEqual([]);
    expect(about('key').at(-1)).toMatchObject({ status: 'unknown' });
  });

  it('is reported finding by finding while the checks run', async () => {
    const { simulator, url } = await startSimulator();
    const seen: string[] = [];
    const onFinding = ({ message }: { message: string }) => seen.push(message);
    const { findings } = await examine(url, { apiKey: simulator.apiKey }, { onFinding });
    expect(seen).toEqual(findings.map(({ message }) => message));
  });
});

describe('the key', () => {
  it('gets a warning if it may do more than read', async () => {
    const { simulator, url } = await startSimulator();
    const before = simulator.instances().length;
    const apiKey = simulator.addKey('wide', [...trackingRights, 'instance_write']);
    const { about } = await examine(url, { apiKey }, { probes: true });
    const expected = { status: 'warning', measured: { beyond: ['instance_write'] } };
    expect(about('key').at(-1)).toMatchObject(expected);
    expect(simulator.instances()).toHaveLength(before);
  });

  it('where nobody answers gets one finding, not one for each check', async () => {
    const { findings } = await examine('http://127.0.0.1:1', {});
    expect(findings).toMatchObject([
      { subject: 'offers', status: 'failed', measured: { kind: 'network', httpStatus: null } },
    ]);
  });

  it('that lacks rights gets a finding for each endpoint that refuses it', async () => {
    const { simulator, url } = await startSimulator();
    const apiKey = simulator.addKey('narrow', ['misc', 'instance_read']);
    const { findings, about } = await examine(url, { apiKey });
    const failed = findings.filter(({ status }) => status === 'failed').map(({ subject }) => subject);
    expect(failed).toEqual(['templates', 'invoices', 'charges']);
    expect(about('templates')[0]?.message).toContain('the right user_read is needed');
    expect(about('key')[0]?.measured).toEqual({ lacking: ['user_read', 'billing_read'] });
  });

  it("that may read nothing is reported as wrong or as one instance's own key", async () => {
    const { url } = await startSimulator();
    const { about } = await examine(url, { apiKey: 'nobody' }, { probes: true });
    expect(about('key')[0]).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('one instance'),
    });
    expect(about('key').at(-1)?.measured).toEqual({ beyond: [] });
  });
});

describe('a market that the dialect does not fit', () => {
  it('is reported as not paging by id', async () => {
    const { simulator, url } = await startSimulator({ faults: ['unpageable-ids'] });
    const { about } = await examine(url, { apiKey: simulator.apiKey });
    expect(about('paging')[0]).toMatchObject({ status: 'warning', measured: { idsPage: false } });
  });

  it.each([
    ['datacenter', { search: { datacenterParameter: 'static_ip' } }, /search.datacenterParameter/],
    ['tiers', { search: { verificationTiers: ['verified', 'gold'] } }, /no offer of the tier gold/],
  ])('is reported with its %s setting', async (subject, changes, text) => {
    const { simulator, url } = await startSimulator();
    const dialect = withoutIntervals(parseDialect(JSON.stringify(changes), 'd'));
    const { about } = await examine(url, { apiKey: simulator.apiKey, dialect });
    expect(about(subject).map(({ status }) => status)).toContain('warning');
    expect(
      about(subject)
        .map(({ message }) => message)
        .join('\n'),
    ).toMatch(text);
  });

  it('is reported with the storage setting if prices do not follow it', async () => {
    // $0.7200 a GB and month: 37 GB are 0.037 $/h, 8 GB are 0.008.
    const offers = [1, 2].map((id) => ({ ...smallRecord, id, storage_cost: 0.72, dph_total: 0.508 }));
    const { baseUrl } = await startScriptedServer(reply(200, { offers }));
    const { about } = await examine(baseUrl, {});
    expect(about('storage')[0]).toMatchObject({ status: 'warning', measured: { offers: 2, withStorage: 0 } });
    const priced = offers.map((offer) => ({ ...offer, dph_total: 0.537 }));
    const fitting = await startScriptedServer(reply(200, { offers: priced }));
    expect((await examine(fitting.baseUrl, {})).about('storage')[0]).toMatchObject({ status: 'ok' });
  });

  it('is reported with the parameter of its invoice page token', async () => {
    const { simulator, url } = await startSimulator();
    const dialect = withoutIntervals(parseDialect('{"invoices":{"tokenParameter":"page"}}', 'd'));
    const { about } = await examine(url, { apiKey: simulator.apiKey, dialect });
    expect(about('invoices').at(-1)).toMatchObject({
      ...{ status: 'warning', measured: { pages: false } },
      message: expect.stringContaining('invoices.tokenParameter'),
    });
  });

  it('gets one finding per endpoint that does not answer, never an exception', async () => {
    const { baseUrl } = await startScriptedServer(reply(400, '<html>no API here</html>'));
    const { findings } = await examine(baseUrl, {}, { probes: true });
    const failed = findings.filter(({ status }) => status === 'failed').map(({ subject }) => subject);
    expect(new Set(failed)).toEqual(
      new Set(['offers', 'instances', 'templates', 'invoices', 'charges', 'volumes']),
    );
  });

  it('that throttles gets its limit measured', async () => {
    const answer = reply(200, { offers: [] });
    const { baseUrl } = await startScriptedServer(
      ...Array.from({ length: 20 }, () => answer),
      reply(429, ''),
      answer,
    );
    const { about } = await examine(baseUrl, {}, { burst: 30 });
    expect(about('limits')[0]).toMatchObject({ status: 'warning' });
    expect(about('limits')[0]?.measured).toMatchObject({ throttles: 1 });
  });
});

it('is not asked for what the dialect switches off', async () => {
  const { simulator, url } = await startSimulator();
  const text = '{"extensions":{"charges":false,"volumes":false}}';
  const dialect = withoutIntervals(parseDialect(text, 'd'));
  const { about } = await examine(url, { apiKey: simulator.apiKey, dialect });
  expect([about('charges')[0]?.status, about('volumes')[0]?.status]).toEqual(['off', 'off']);
  expect(simulator.requests().some(({ path }) => /charges|volumes/.test(path))).toBe(false);
});

it('stops with the reason of the signal', async () => {
  const { baseUrl } = await startScriptedServer(() => undefined);
  const reason = new Error('enough');
  await expect(examine(baseUrl, {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
