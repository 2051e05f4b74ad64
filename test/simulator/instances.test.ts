import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { bookOf, offer, openMarket, rent, rowsOf, type TestMarket } from './market-account.ts';
import { allTiers } from './simulated-books.ts';

const statusOf = async (market: TestMarket, id: number) =>
  ((await market.call('GET', `/api/v0/instances/${id}/`)).body.instances as Record<string, unknown>)
    .actual_status;
const rentableIds = async (market: TestMarket, body: object = {}) =>
  rowsOf(await market.call('POST', '/api/v0/bundles/', { order: [['id', 'asc']], ...body }), 'offers').map(
    ({ id }) => id,
  );

describe('an instance', () => {
  it('has no status, then loads, then runs after one to five minutes', async () => {
    const market = await openMarket();
    const id = await rent(market, 1);
    expect(await statusOf(market, id)).toBeNull();
    market.goTo(15);
    expect(await statusOf(market, id)).toBe('loading');
    market.goTo(119);
    expect(await statusOf(market, id)).toBe('loading');
    market.goTo(120);
    expect(await statusOf(market, id)).toBe('running');
  });

  it('has no load while nobody can have started anything on it, then some', async () => {
    const market = await openMarket();
    const ids = [await rent(market, 1), await rent(market, 2), await rent(market, 3)];
    const loadsAt = async (s: number) => {
      market.goTo(s);
      return rowsOf(await market.call('GET', '/api/v0/instances/'), 'instances')
        .filter(({ id }) => ids.includes(Number(id)))
        .map(({ gpu_util }) => gpu_util);
    };
    expect(await loadsAt(15)).toEqual([null, null, null]);
    expect(await loadsAt(125)).toEqual([0, 0, 0]);
    const later = await loadsAt(1_000);
    expect(new Set(later).size).toBe(3);
    expect(later.every((load) => Number(load) >= 0 && Number(load) <= 100)).toBe(true);
  });

  it('boots within one to five random minutes, and fails as often as configured', async () => {
    const records = Array.from({ length: 400 }, (_, index) => offer(index + 1));
    const market = await openMarket({
      replay: bookOf(records),
      bootSeconds: undefined,
      failures: { exited: 0.1, unknown: 0.05, offline: 0.05 },
      openingCreditUsd: 100_000,
    });
    for (const { id } of records) await rent(market, Number(id));
    market.goTo(5 * 86_400);
    const instances = market.simulator.instances();
    const boots = instances.flatMap(({ createdS, steps }) => {
      const running = steps.find(({ phase }) => phase === 'running');
      return running === undefined ? [] : [running.fromS - createdS];
    });
    expect(Math.min(...boots)).toBeGreaterThanOrEqual(60);
    expect(Math.max(...boots)).toBeLessThanOrEqual(300);
    expect(new Set(boots).size).toBeGreaterThan(100);
    const count = (phase: string) => instances.filter((instance) => instance.phase === phase).length;
    expect(count('exited')).toBeGreaterThan(20);
    expect(count('exited')).toBeLessThan(65);
    expect(count('unknown')).toBeGreaterThan(7);
    expect(count('offline')).toBeGreaterThan(7);
    expect(count('running')).toBeGreaterThan(270);
    const neverRan = instances.filter(({ steps }) => !steps.some(({ phase }) => phase === 'running'));
    expect(neverRan.length).toBeGreaterThan(15);
  });

  it('never runs again once it has failed, whatever its owner does', async () => {
    const market = await openMarket();
    for (const [index, phase] of (['exited', 'unknown', 'offline'] as const).entries()) {
      const id = await rent(market, index + 1);
      market.simulator.setInstancePhase(id, phase);
      for (const state of ['running', 'stopped', 'running']) {
        await market.call('PUT', `/api/v0/instances/${id}/`, { state });
        market.simulator.advance(3600);
        expect(await statusOf(market, id)).toBe(phase);
      }
    }
  });

  it('loses its bid when the market outbids it, and comes back', async () => {
    const records = Array.from({ length: 30 }, (_, index) => offer(index + 1));
    const market = await openMarket({ replay: bookOf(records) });
    for (const { id } of records) await rent(market, Number(id), { price: Number(id) <= 15 ? 0.1 : 0.2 });
    market.goTo(5 * 86_400);
    const phases = market.simulator.instances().map(({ steps }) => steps.map(({ phase }) => phase));
    expect(phases.slice(0, 15).every((steps) => steps.includes('outbid'))).toBe(true);
    expect(phases.slice(0, 15).some((steps) => steps.lastIndexOf('running') > steps.indexOf('outbid'))).toBe(
      true,
    );
    expect(phases.slice(15).some((steps) => steps.includes('outbid'))).toBe(false);
  });

  it('makes its offer and overlapping ones not rentable until it is destroyed', async () => {
    const replay = bookOf([
      offer(1, { machine_id: 7, num_gpus: 4, gpu_ids: [1, 2, 3, 4] }),
      offer(2, { machine_id: 7, num_gpus: 2, gpu_ids: [1, 2] }),
      offer(3, { machine_id: 7, num_gpus: 2, gpu_ids: [3, 4] }),
      offer(4, { machine_id: 8, gpu_ids: [1] }),
    ]);
    const market = await openMarket({ replay });
    const id = await rent(market, 2);
    expect(await rentableIds(market)).toEqual([3, 4]);
    expect(await rentableIds(market, { rented: { eq: true }, rentable: { eq: false } })).toEqual([1, 2]);
    expect(await rentableIds(market, { rented: { eq: true } })).toEqual([1, 2]);
    const again = await market.call('PUT', '/api/v0/asks/1/', { image: 'ubuntu' });
    expect(again).toMatchObject({ status: 410, body: { success: false, error: 'no_such_ask' } });
    await market.call('PUT', `/api/v0/instances/${id}/`, { state: 'stopped' });
    expect(await rentableIds(market)).toEqual([3, 4]);
    await market.call('DELETE', `/api/v0/instances/${id}/`);
    expect(await rentableIds(market)).toEqual([1, 2, 3, 4]);
  });

  it('of a generated market takes its machine in the same way', async () => {
    const market = await openMarket({ replay: undefined, seed: 4 });
    const before = await rentableIds(market, { ...allTiers, limit: 10_000 });
    const [largest] = market.simulator
      .offersAt()
      .filter((row) => row.rentable === true)
      .sort((a, b) => Number(b.num_gpus) - Number(a.num_gpus));
    const id = await rent(market, Number(largest?.id), { disk: 10 });
    const during = await rentableIds(market, { ...allTiers, limit: 10_000 });
    const taken = before.filter((offerId) => !during.includes(offerId));
    const machines = market.simulator.offersAt().filter((row) => taken.includes(Number(row.id)));
    expect(taken.length).toBeGreaterThan(1);
    expect(new Set(machines.map((row) => row.machine_id))).toEqual(new Set([largest?.machine_id]));
    await market.call('DELETE', `/api/v0/instances/${id}/`);
    expect(await rentableIds(market, { ...allTiers, limit: 10_000 })).toEqual(before);
  });

  it("is listed with its offer's fields and its own, until it is destroyed", async () => {
    const market = await openMarket();
    expect(await market.call('GET', '/api/v0/instances')).toEqual({
      status: 200,
      body: { instances_found: 0, instances: [] },
    });
    const id = await rent(market, 1, { label: 'mine #1', env: { A: '1', '-p 8080:80': '1' } });
    market.goTo(720);
    const listed = await market.call('GET', '/api/v0/instances/');
    expect(listed.body.instances_found).toBe(1);
    expect(rowsOf(listed, 'instances')[0]).toMatchObject({
      id,
      label: 'mine #1',
      machine_id: 10,
      actual_status: 'running',
      intended_status: 'running',
      uptime_mins: 10,
      disk_space: 36,
      dph_base: 0.36,
      dph_total: 0.72,
      ssh_host: expect.any(String),
      ssh_port: expect.any(Number),
      jupyter_token: expect.any(String),
      extra_env: [
        ['A', '1'],
        ['-p 8080:80', '1'],
      ],
      ports: { '80/tcp': [{ HostIp: '0.0.0.0', HostPort: expect.any(String) }] },
    });
    await market.call('PUT', `/api/v0/instances/${id}/`, { label: 'other' });
    expect(rowsOf(await market.call('GET', '/api/v0/instances/'), 'instances')[0]?.label).toBe('other');
    await market.call('DELETE', `/api/v0/instances/${id}/`);
    expect((await market.call('GET', '/api/v0/instances/')).body).toEqual({
      instances_found: 0,
      instances: [],
    });
    const gone = await market.call('GET', `/api/v0/instances/${id}/`);
    expect(gone).toMatchObject({ status: 404, body: { success: false, error: 'no_such_instance' } });
  });
});

describe('a create is refused', () => {
  it.each<[string, object | string, number, string]>([
    ['no JSON', '{', 400, 'invalid_request'],
    ['nothing to run', {}, 400, 'invalid_args'],
    ['template_id', { template_id: 7, image: 'ubuntu' }, 400, 'invalid_args'],
    ['an unknown template', { template_hash_id: 'none' }, 404, 'no_such_template'],
    ['onstart of 4049 characters', { image: 'u', onstart: 'x'.repeat(4049) }, 400, 'invalid_args'],
    ['env as text', { image: 'u', env: '-e A=1' }, 400, 'invalid_args'],
    ['env with a number', { image: 'u', env: { A: 1 } }, 400, 'invalid_args'],
    ['a port mapping with another value', { image: 'u', env: { '-p 80:80': '2' } }, 400, 'invalid_args'],
    ['a port mapping that is none', { image: 'u', env: { '-p 80': '1' } }, 400, 'invalid_args'],
    ['no disk', { image: 'u', disk: 0 }, 400, 'invalid_args'],
    ['a larger disk than there is', { image: 'u', disk: 501 }, 400, 'invalid_args'],
    ['an unknown runtype', { image: 'u', runtype: 'vnc' }, 400, 'invalid_args'],
    ['a bid below the minimum', { image: 'u', price: 0.09 }, 400, 'invalid_price'],
    ['a bid of 0', { image: 'u', price: 0 }, 400, 'invalid_price'],
    ['a bid above 128', { image: 'u', price: 128.01 }, 400, 'invalid_price'],
    [
      'a volume without a path',
      { image: 'u', volume_info: { create_new: true, volume_id: 1001 } },
      400,
      'invalid_args',
    ],
    [
      'a volume that is not there',
      { image: 'u', volume_info: { create_new: false, volume_id: 1, mount_path: '/v' } },
      404,
      'no_such_volume',
    ],
  ])('for %s', async (_, body, status, error) => {
    const market = await openMarket();
    expect(await market.call('PUT', '/api/v0/asks/1/', body)).toMatchObject({
      status,
      body: { success: false, error, msg: expect.any(String) },
    });
    expect(market.simulator.instances()).toEqual([]);
  });

  it('for a missing offer, a VM without a key and an account without credit', async () => {
    const market = await openMarket({
      replay: bookOf([offer(1, { vms_enabled: true }), offer(2)]),
      sshKeyRegistered: false,
      openingCreditUsd: 0,
      autoTopUp: null,
    });
    const create = (id: number) => market.call('PUT', `/api/v0/asks/${id}/`, { image: 'u' });
    expect((await create(2)).body.error).toBe('missing_billing');
    market.simulator.addInvoice({ amountUsd: '-1' });
    expect((await create(1)).body.error).toBe('no_ssh_key_for_vm');
    expect(await create(99)).toMatchObject({ status: 410, body: { error: 'no_such_ask' } });
    expect((await create(2)).body.success).toBe(true);
  });

  it('but 4048 characters of onstart are accepted', async () => {
    const market = await openMarket();
    await rent(market, 1, { onstart: 'é'.repeat(4048) });
    expect(market.simulator.instances()[0]?.onstart?.length).toBe(4048);
  });
});

describe('a volume', () => {
  it('has 15 GB by default, is linked, and cannot be deleted while in use', async () => {
    const market = await openMarket();
    const found = rowsOf(await market.call('POST', '/api/v0/volumes/search/', {}), 'offers');
    expect(found.map(({ id, disk_space, storage_cost }) => [id, disk_space, storage_cost])).toEqual([
      [1001, 200, 0.072],
      [1002, 200, 0.072],
      [1003, 200, 0.072],
    ]);
    const made = await market.call('PUT', '/api/v0/volumes', { id: 1002 });
    expect(made).toEqual({ status: 200, body: { success: true, volume_name: expect.any(String) } });
    const [volume] = rowsOf(await market.call('GET', '/api/v0/volumes/'), 'volumes');
    expect(volume).toMatchObject({ disk_space: 15, volume_name: made.body.volume_name, instances: [] });
    const info = { create_new: false, volume_id: volume?.id, mount_path: '/data' };
    const id = await rent(market, 2, { volume_info: info });
    expect((await market.call('DELETE', `/api/v0/volumes/?id=${volume?.id}`)).status).toBe(400);
    await market.call('DELETE', `/api/v0/instances/${id}/`);
    expect((await market.call('DELETE', `/api/v0/volumes/?id=${volume?.id}`)).body.success).toBe(true);
    await rent(market, 2, {
      volume_info: { create_new: true, volume_id: 1002, size: 20, mount_path: '/data' },
    });
    expect(rowsOf(await market.call('GET', '/api/v0/volumes/'), 'volumes')[0]).toMatchObject({
      disk_space: 20,
    });
  });

  it('can be created with every avail_vol_ask_id that a search lists, on the machine that lists it', async () => {
    const market = await openMarket({ replay: undefined, seed: 5, offersPerType: 60 });
    const listed = new Map<unknown, unknown>();
    for (const type of ['on-demand', 'bid', 'reserved']) {
      const wanted = { type, limit: 1000, verification: { notin: [] }, rentable: { in: [true, false] } };
      for (const row of rowsOf(await market.call('POST', '/api/v0/bundles/', wanted), 'offers')) {
        listed.set(row.avail_vol_ask_id, row.machine_id);
      }
    }
    // Machines of several GPUs list a chunk more than once: those were the ids that were not known.
    expect(listed.size).toBeGreaterThan(new Set(listed.values()).size + 10);
    const refused: unknown[] = [];
    for (const id of listed.keys()) {
      const { status, body } = await market.call('PUT', '/api/v0/volumes', { id, size: 1 });
      if (status !== 200) refused.push([id, body]);
    }
    expect(refused).toEqual([]);
    const made = rowsOf(await market.call('GET', '/api/v0/volumes/'), 'volumes');
    expect(made.map(({ machine_id }) => machine_id)).toEqual([...listed.values()]);
  });

  it('can be created from an offer that only a recorded bid book contains', async () => {
    const [onDemand, bid] = bookOf([offer(1)]);
    const replay = [onDemand, bid === undefined ? bid : { ...bid, records: [offer(9)] }].filter(
      (book) => book !== undefined,
    );
    const market = await openMarket({ replay });
    expect((await market.call('PUT', '/api/v0/volumes', { id: 1009 })).status).toBe(200);
    expect((await market.call('PUT', '/api/v0/volumes', { id: 1002 })).status).toBe(404);
  });

  it.each([
    ['no id', {}, 400],
    ['half an id', { id: 1.5 }, 400],
    ['an unknown id', { id: 5 }, 404],
    ['no size', { id: 1001, size: 0 }, 400],
    ['more than there is', { id: 1001, size: 201 }, 400],
  ])('is refused for %s', async (_, body, status) => {
    const market = await openMarket();
    expect((await market.call('PUT', '/api/v0/volumes', body)).status).toBe(status);
  });
});

describe('the SSH port of an instance', () => {
  it('accepts a connection and greets', async () => {
    const market = await openMarket();
    const id = await rent(market, 1);
    const { instances } = (await market.call('GET', `/api/v0/instances/${id}/`)).body;
    const { ssh_host: host, ssh_port: port } = instances as { ssh_host: string; ssh_port: number };
    const greeting = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, host);
      socket.once('data', (bytes: Buffer) => resolve(bytes.toString('utf8')));
      socket.once('error', reject);
    });
    expect(greeting).toBe('SSH-2.0-simulated\r\n');
  });
});
