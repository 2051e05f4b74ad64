import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyAccount } from '../../src/simulator/account/account-state.ts';
import { readRentRequest } from '../../src/simulator/account/rent-request.ts';
import { parseEnvFlags } from '../../src/simulator/account/template-env.ts';
import { createTemplates } from '../../src/simulator/account/templates.ts';
import { openMarket, rowsOf, type TestMarket } from './market-account.ts';

const login = { docker_login_repo: '', docker_login_user: '', docker_login_pass: '' };
const minimal = { name: 'mine', image: 'ubuntu', ...login };
const path = '/api/v0/template/';
const made = async (market: TestMarket, more: object = {}) =>
  (await market.call('POST', path, { ...minimal, ...more })).body.template as Record<string, unknown>;
const find = async (market: TestMarket, values: Record<string, unknown> = {}) => {
  const pairs = Object.entries(values).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return market.call('GET', `${path}?${new URLSearchParams(pairs)}`);
};

describe('a template', () => {
  it('gets its defaults, an id and a hash', async () => {
    const market = await openMarket();
    const template = await made(market);
    expect(template).toMatchObject({
      id: expect.any(Number),
      hash_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      tag: 'latest',
      runtype: 'args',
      recommended_disk_space: 8,
      private: false,
    });
    expect(template).not.toHaveProperty('docker_login_pass');
  });

  it('gets another hash with every edit, keeps the other fields, and loses the old hash', async () => {
    const market = await openMarket();
    const first = await made(market, { desc: 'words', env: '-e A=1' });
    const seen = new Set([first.hash_id]);
    let hash = first.hash_id;
    for (const change of [{ name: 'new' }, { name: 'new' }, {}, { desc: null }]) {
      const { body } = await market.call('PUT', path, { hash_id: hash, ...change });
      hash = (body.template as Record<string, unknown>).hash_id;
      expect(seen.has(hash)).toBe(false);
      seen.add(hash);
    }
    const stale = await market.call('PUT', path, { hash_id: first.hash_id, name: 'x' });
    expect(stale).toMatchObject({ status: 404, body: { success: false, error: 'not_found' } });
    const found = rowsOf(await find(market, { select_filters: { id: { eq: first.id } } }), 'templates');
    expect(found).toEqual([
      expect.objectContaining({ name: 'new', desc: null, env: '-e A=1', hash_id: hash }),
    ]);
  });

  it('that equals another one has another hash', async () => {
    const market = await openMarket();
    expect((await made(market)).hash_id).not.toBe((await made(market)).hash_id);
  });

  it('is deleted by its id, never by its hash, and only by its owner', async () => {
    const market = await openMarket();
    const { id, hash_id } = await made(market);
    const remove = (body: object) => market.call('DELETE', path, body);
    expect((await remove({ template_id: hash_id })).status).toBe(400);
    expect((await remove({ template_id: 900_001 })).status).toBe(404);
    expect(await remove({ template_id: id })).toEqual({ status: 200, body: { success: true } });
    expect((await remove({ template_id: id })).status).toBe(404);
  });

  it.each<[string, object]>([
    ['no name', { ...login, image: 'u' }],
    ['no image', { ...login, name: 'n' }],
    ['no login repo', { ...minimal, docker_login_repo: undefined }],
    ['no login user', { ...minimal, docker_login_user: undefined }],
    ['no login pass', { ...minimal, docker_login_pass: undefined }],
    ['a number for a name', { ...minimal, name: 5 }],
    ['a word for a flag', { ...minimal, use_ssh: 'yes' }],
    ['an unknown runtype', { ...minimal, runtype: 'vnc' }],
    ['env that is no flags', { ...minimal, env: 'A=1' }],
    ['env with an open quote', { ...minimal, env: "-e A='1" }],
    ['onstart of 4049 characters', { ...minimal, onstart: 'x'.repeat(4049) }],
    ['filters that are none', { ...minimal, extra_filters: { num_gpus: 2 } }],
    ['no disk', { ...minimal, recommended_disk_space: 0 }],
  ])('is refused for %s', async (_, body) => {
    const market = await openMarket();
    expect(await market.call('POST', path, body)).toMatchObject({
      status: 400,
      body: { success: false, error: 'invalid_args', msg: expect.any(String) },
    });
  });
});

describe('the template search', () => {
  it('finds own and public ones, by filters, columns and order', async () => {
    const market = await openMarket();
    const { id } = await made(market, { name: 'A mine', use_ssh: true, recommended_disk_space: 50 });
    const all = await find(market);
    expect(all.body).toMatchObject({ success: true, templates_found: 4 });
    const names = async (filters: object, more: object = {}) =>
      rowsOf(await find(market, { select_filters: filters, ...more }), 'templates').map(({ name }) => name);
    expect(await names({ id: { eq: id } })).toEqual(['A mine']);
    expect(await names({ use_ssh: { eq: true } })).toEqual(['A mine', 'Ubuntu with SSH']);
    expect(await names({ recommended_disk_space: { gt: 32, lte: 64 } })).toEqual([
      'A mine',
      'Text generation server',
    ]);
    expect(
      await names({ name: { notin: ['PyTorch', 'A mine'] } }, { order_by: 'recommended_disk_space' }),
    ).toEqual(['Ubuntu with SSH', 'Text generation server']);
    const cut = await find(market, { select_filters: { id: { eq: id } }, select_cols: ['tag'] });
    expect(cut.body.templates).toEqual([{ id, name: 'A mine', image: 'ubuntu', tag: 'latest' }]);
  });

  it.each([
    ['filters that are no JSON', { select_filters: '{' }, 'invalid_request'],
    ['an unknown field', { select_filters: { price: { eq: 1 } } }, 'invalid_args'],
    ['an unknown operator', { select_filters: { id: { like: 1 } } }, 'invalid_args'],
    ['a value of another type', { select_filters: { id: { eq: 'x' } } }, 'invalid_args'],
    ['an unknown column', { select_cols: ['price'] }, 'invalid_args'],
    ['an unknown order', { order_by: 'price' }, 'invalid_args'],
  ])('fails for %s with success, error and msg', async (_, values, error) => {
    const market = await openMarket();
    expect(await find(market, values)).toEqual({
      status: 400,
      body: { success: false, error, msg: expect.any(String) },
    });
  });
});

describe('a template combined with a request', () => {
  const text = fc.string({ unit: 'grapheme-ascii', maxLength: 12 });
  const variables = fc.dictionary(fc.constantFrom('A', 'B', 'C_D', 'e1'), text, { noNullPrototype: true });
  const ports = fc.uniqueArray(fc.constantFrom('80:80', '8080:80', '22:2222/udp'), { maxLength: 2 });
  const environment = fc.tuple(variables, ports).map(([named, mapped]) => ({
    ...named,
    ...Object.fromEntries(mapped.map((port) => [`-p ${port}`, '1'])),
  }));
  const filters = fc.dictionary(
    fc.constantFrom('num_gpus', 'gpu_ram', 'dlperf'),
    fc.record({ gte: fc.nat(9) }),
    {
      noNullPrototype: true,
    },
  );
  const scalars = fc.record(
    { onstart: text, runtype: fc.constantFrom('ssh', 'jupyter', 'args'), args_str: text },
    { requiredKeys: [], noNullPrototype: true },
  );
  /** Every character quoted, which the simulator's reader never does itself. */
  const flags = (env: Record<string, string>) =>
    Object.entries(env)
      .map(([name, value]) =>
        name.startsWith('-p ') ? name : `-e ${name}="${value.replace(/["\\]/g, '\\$&')}"`,
      )
      .join(' ');

  it('gives what the rules of a create say', () => {
    const cases = fc.record({
      stored: scalars,
      storedEnv: environment,
      storedFilters: filters,
      given: scalars,
      env: environment,
      extra: filters,
      image: fc.option(fc.constant('other/image:1'), { nil: undefined }),
    });
    fc.assert(
      fc.property(cases, ({ stored, storedEnv, storedFilters, given, env, extra, image }) => {
        const templates = createTemplates(emptyAccount(0), () => 1);
        const volume_info = { create_new: true, volume_id: 1, size: 5, mount_path: '/v' };
        const body = {
          ...minimal,
          ...stored,
          env: flags(storedEnv),
          extra_filters: storedFilters,
          volume_info,
        };
        const { hash_id } = templates.create(body, 0);
        const request = { template_hash_id: hash_id, ...given, env, extra_filters: extra, image };
        const meant = readRentRequest(JSON.parse(JSON.stringify(request)), templates.withHash);
        expect(meant.image).toBe(image ?? 'ubuntu:latest');
        expect(meant.onstart).toBe(given.onstart ?? stored.onstart ?? null);
        expect(meant.runtype).toBe(given.runtype ?? stored.runtype ?? 'args');
        expect(meant.argsStr).toBe(given.args_str ?? stored.args_str ?? null);
        expect(meant.env).toEqual({ ...storedEnv, ...env });
        expect(meant.extraFilters).toEqual({ ...storedFilters, ...extra });
        expect(meant.volume).toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  it('returns env flags as they were written', () => {
    fc.assert(
      fc.property(environment, (env) => {
        expect(parseEnvFlags(flags(env))).toEqual(env);
      }),
      { numRuns: 500 },
    );
    expect(parseEnvFlags(`-e A=1 -p 8080:80  -e B='two words' -e C=`)).toEqual({
      A: '1',
      '-p 8080:80': '1',
      B: 'two words',
      C: '',
    });
  });

  it("creates an instance that keeps the template's hash of that moment", async () => {
    const market = await openMarket();
    const { hash_id, id } = await made(market, { env: '-e A=1 -e B=2', recommended_disk_space: 20 });
    const create = (hash: unknown) =>
      market.call('PUT', '/api/v0/asks/1/', { template_hash_id: hash, env: { B: '3', C: '4' } });
    expect((await create(hash_id)).body.success).toBe(true);
    const [instance] = market.simulator.instances();
    expect(instance).toMatchObject({ templateId: id, diskGb: 20, image: 'ubuntu:latest' });
    expect(instance?.env).toMatchObject({ A: '1', B: '3', C: '4', CONTAINER_API_KEY: expect.any(String) });
    await market.call('PUT', path, { hash_id, name: 'other' });
    expect(await create(hash_id)).toMatchObject({ status: 404, body: { error: 'no_such_template' } });
    const [record] = rowsOf(await find(market, { select_filters: { id: { eq: id } } }), 'templates');
    expect(record?.count_created).toBe(1);
  });
});
