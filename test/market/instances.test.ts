import { describe, expect, it } from 'vitest';
import { UserError } from '../../src/core/errors.ts';
import type { InstanceRequest } from '../../src/market/instance-request.ts';
import { parseDialect } from '../../src/market/vast/dialect.ts';
import { actGood } from './every-call.ts';
import { errorOf } from './test-client.ts';
import { sentBy, startMarket } from './wire.ts';

describe('a create', () => {
  it('sends the given fields of the specification with the acting key, and no others', async () => {
    const request: InstanceRequest = {
      image: 'pytorch/pytorch:latest',
      templateHashId: '4e17788f74f075dd9aab7d0d4427968f',
      diskGb: 32.5,
      onstart: 'echo hi',
      env: { HF_HOME: '/data', '-p 8080:80': '1' },
      volume: { kind: 'new', volumeOfferId: 28, sizeGb: 20, mountPath: '/data' },
      runtype: 'ssh',
      args: '--fast',
      extraFilters: { cuda_max_good: { gte: 12.4 } },
      label: 'job #r1',
      bidUsdPerHour: 0.25,
    };
    const sent = await sentBy((client) => client.createInstance(91, request), actGood);
    expect(sent).toEqual({
      method: 'PUT',
      path: '/api/v0/asks/91/',
      query: {},
      key: 'acting',
      body: {
        image: 'pytorch/pytorch:latest',
        template_hash_id: '4e17788f74f075dd9aab7d0d4427968f',
        disk: 32.5,
        onstart: 'echo hi',
        env: { HF_HOME: '/data', '-p 8080:80': '1' },
        volume_info: { create_new: true, volume_id: 28, size: 20, mount_path: '/data' },
        runtype: 'ssh',
        args_str: '--fast',
        extra_filters: { cuda_max_good: { gte: 12.4 } },
        label: 'job #r1',
        price: 0.25,
      },
    });
    const small = await sentBy((client) => client.createInstance(91, { image: 'i', diskGb: 8 }), actGood);
    expect(small.body).toEqual({ image: 'i', disk: 8 });
    const volume = { kind: 'existing', volumeId: 3, mountPath: '/v' } as const;
    const linked = await sentBy(
      (client) => client.createInstance(1, { image: 'i', diskGb: 8, volume }),
      actGood,
    );
    expect(linked.body).toMatchObject({ volume_info: { create_new: false, volume_id: 3, mount_path: '/v' } });
  });

  it("returns the instance id alone and drops the instance's key", async () => {
    const answer = { success: true, new_contract: 1234, instance_api_key: 'restricted-k3y' };
    const { client, lines } = await startMarket([answer]);
    const created = await client.createInstance(91, { image: 'i', diskGb: 8 });
    expect(created).toEqual({ instanceId: 1234 });
    expect(lines.join()).not.toContain('restricted-k3y');
  });

  it.each([{ success: true }, { success: true, new_contract: null }, { success: true, id: 5 }, {}])(
    'is unclear if its answer has no new id: %j',
    async (answer) => {
      const { client, sent } = await startMarket([answer, actGood]);
      const error = await errorOf(client.createInstance(91, { image: 'i', diskGb: 8 }));
      expect(error).toMatchObject({ kind: 'contract', outcome: 'unknown' });
      expect(sent()).toHaveLength(1);
    },
  );

  it('succeeds if its answer claims success, whatever else the body says', async () => {
    const answer = { success: true, new_contract: 5, error: 'none', detail: 'endpoint threshold=3.0' };
    const { client } = await startMarket([answer]);
    expect(await client.createInstance(91, { image: 'i', diskGb: 8 })).toEqual({ instanceId: 5 });
  });

  it('hides the values of env if the market repeats them', async () => {
    const { client } = await startMarket([{ success: false, error: 'invalid_args', msg: 'env: hf_s3cret!' }]);
    const env = { HF_TOKEN: 'hf_s3cret!' };
    const error = await errorOf(client.createInstance(91, { image: 'i', diskGb: 8, env }));
    expect(error).toMatchObject({ kind: 'contract', code: 'invalid_args', outcome: 'refused' });
    expect(error.message).toContain('env: [key]');
  });

  const good = { image: 'i', diskGb: 8 };
  it.each<[string, number, object, RegExp]>([
    ['no image', 1, { diskGb: 8 }, /give an image, a template hash or both/],
    ['an empty image', 1, { ...good, image: ' ' }, /image is empty/],
    ['a numeric template id', 1, { ...good, templateHashId: '42' }, /template 42 is a numeric id.*hash_id/],
    ['an empty hash', 1, { ...good, templateHashId: '' }, /hash is empty/],
    ['no disk', 1, { image: 'i', diskGb: 0 }, /diskGb 0: give the GB of disk/],
    ['no offer', 1.5, good, /offer 1.5/],
    [
      'a long onstart',
      1,
      { ...good, onstart: 'x'.repeat(4_049) },
      /4049 characters.*4048.*--compress-onstart.*gzip/,
    ],
    ['a name of env', 1, { ...good, env: { 'A-B': 'x' } }, /env "A-B" is not a variable name/],
    ['a value of env', 1, { ...good, env: { A: 1 } }, /env A: the value must be text/],
    [
      'a port',
      1,
      { ...good, env: { '-p 80': '1' } },
      /"-p 80" is not a port mapping: write "-p host:container"/,
    ],
    ['a port above all', 1, { ...good, env: { '-p 80:70000': '1' } }, /not a port mapping/],
    ["a port's value", 1, { ...good, env: { '-p 1:2': '2' } }, /has the value "1"/],
    ['a flag in env', 1, { ...good, env: { '--gpus all': '1' } }, /not a port mapping/],
    ['a runtype', 1, { ...good, runtype: 'vnc' }, /runtype "vnc": there are ssh, jupyter, args/],
    [
      'a filter',
      1,
      { ...good, extraFilters: { gpuname: { eq: 'x' } } },
      /extraFilters gpuname.*did you mean gpu_name/,
    ],
    [
      'a volume size',
      1,
      { ...good, volume: { kind: 'new', volumeOfferId: 1, sizeGb: 0.5, mountPath: '/a' } },
      /whole GB/,
    ],
    [
      'a mount path',
      1,
      { ...good, volume: { kind: 'existing', volumeId: 1, mountPath: 'a' } },
      /mount path "a"/,
    ],
    ['a volume id', 1, { ...good, volume: { kind: 'existing', volumeId: -1, mountPath: '/a' } }, /volume -1/],
    ['a bid', 1, { ...good, bidUsdPerHour: 200 }, /bid 200: .* from 0.001 to 128/],
  ])('is refused before anything is sent: %s', async (_name, offerId, request, text) => {
    const { client, sent } = await startMarket([actGood]);
    const call = client.createInstance(offerId, request as InstanceRequest);
    await expect(call).rejects.toThrow(UserError);
    await expect(call).rejects.toThrow(text);
    expect(sent()).toHaveLength(0);
  });

  it('is refused with all of its mistakes at once', async () => {
    const { client } = await startMarket([actGood]);
    const call = client.createInstance(1, { diskGb: -1, env: { '1': 'x' } });
    await expect(call).rejects.toThrow(/image.*diskGb.*env/);
  });

  it('is sent as the dialect says', async () => {
    const text = JSON.stringify({
      instances: { createMethod: 'POST', createPath: '/v9/rent/{id}', labelParameter: 'name' },
      bid: { priceParameter: 'bid' },
    });
    const dialect = parseDialect(text, 'd');
    const request = { image: 'i', diskGb: 8, label: 'l', bidUsdPerHour: 1 };
    const sent = await sentBy((client) => client.createInstance(4, request), actGood, { dialect });
    expect(sent).toMatchObject({ method: 'POST', path: '/v9/rent/4', body: { name: 'l', bid: 1 } });
    const unlabeled = parseDialect('{"instances":{"labelParameter":null}}', 'd');
    const { client } = await startMarket([actGood], { dialect: unlabeled });
    expect(client.extensions.changeLabel).toBeNull();
    await expect(client.createInstance(4, request)).rejects.toThrow(/no labels/);
  });
});

describe('stop, start and destroy', () => {
  it('send the requests of the specification with the acting key', async () => {
    const common = { path: '/api/v0/instances/7/', query: {}, key: 'acting' };
    const put = { ...common, method: 'PUT' };
    expect(await sentBy((client) => client.stopInstance(7), actGood)).toEqual({
      ...put,
      body: { state: 'stopped' },
    });
    expect(await sentBy((client) => client.startInstance(7), actGood)).toEqual({
      ...put,
      body: { state: 'running' },
    });
    const destroyed = await sentBy((client) => client.destroyInstance(7), actGood);
    expect(destroyed).toEqual({ ...common, method: 'DELETE', body: null });
  });

  it('count as done only if the answer says success', async () => {
    const { client } = await startMarket([{}]);
    for (const call of [client.stopInstance(7), client.destroyInstance(7)]) {
      expect(await errorOf(call)).toMatchObject({ kind: 'contract', outcome: 'unknown' });
    }
  });

  it('are refused without an id', async () => {
    const { client, sent } = await startMarket([actGood]);
    for (const id of [Number.NaN, -1, 1.5]) {
      await expect(client.destroyInstance(id)).rejects.toThrow(/instance .*: give the instance's id/);
    }
    expect(sent()).toHaveLength(0);
  });
});

describe('the list', () => {
  it('has what the market states and null for the rest', async () => {
    const known = {
      id: 7,
      actual_status: 'running',
      ssh_host: 'ssh5.market.example',
      ssh_port: 22345,
      label: 'job',
      machine_id: 70,
      gpu_name: 'RTX 4090',
      num_gpus: 2,
      is_bid: true,
      start_date: 1_767_225_600.5,
      dph_base: 0.5,
      gpu_util: 0,
      sla_new: { deep: 1 },
    };
    const answer = { instances_found: 2, instances: [known, { id: 8, actual_status: null }] };
    const { client, sent } = await startMarket([answer]);
    const { instances, rejected, found } = await client.listInstances();
    expect(sent()).toMatchObject([{ method: 'GET', path: '/api/v0/instances/', key: 'reading' }]);
    expect([rejected, found]).toEqual([[], 2]);
    expect(instances[0]).toMatchObject({
      ...{ instanceId: 7, actualStatus: 'running', sshHost: 'ssh5.market.example', sshPort: 22345 },
      ...{ label: 'job', machineId: 70, gpuName: 'RTX 4090', numGpus: 2, type: 'bid' },
      ...{ startedAt: new Date('2026-01-01T00:00:00.500Z'), baseUsdPerHour: 0.5, gpuUtilPercent: 0 },
    });
    expect(JSON.parse(instances[0]?.raw ?? '')).toEqual(known);
    const { instanceId, raw, ...others } = instances[1] ?? { instanceId: 0, raw: '' };
    expect([instanceId, new Set(Object.values(others))]).toEqual([8, new Set([null])]);
  });

  it.each([null, 'loading', 'running', 'exited', 'unknown', 'offline', 'frozen', 'brand new'])(
    'returns the status %j unchanged',
    async (status) => {
      const { client } = await startMarket([{ instances: [{ id: 7, actual_status: status }] }]);
      expect((await client.listInstances()).instances[0]?.actualStatus).toBe(status);
    },
  );

  it('drops secrets at any depth', async () => {
    const secrets = {
      jupyter_token: 's3cret',
      extra: [{ instance_api_key: 's3cret' }],
      image_login: 's3cret',
    };
    const { client } = await startMarket([{ instances: [{ id: 7, label: 'l', ...secrets }] }]);
    const { instances } = await client.listInstances();
    expect(JSON.stringify(instances)).not.toContain('s3cret');
    expect(JSON.parse(instances[0]?.raw ?? '')).toEqual({ id: 7, label: 'l', extra: [{}] });
  });

  it('counts rows without an instance id instead of losing them', async () => {
    const { client } = await startMarket([{ instances: [{ label: 'x' }, { id: 'y' }, 7, { id: 3 }] }]);
    const { instances, rejected, found } = await client.listInstances();
    expect(instances.map(({ instanceId }) => instanceId)).toEqual([3]);
    const reasons = rejected.map(({ reason }) => reason);
    expect(reasons).toEqual(['id: missing', 'id: not readable', 'record: not an object']);
    expect(found).toBeNull();
  });

  it('is an error, never an empty list, if the answer has no list', async () => {
    for (const answer of [{}, { instances: null }, { instances_found: 0 }]) {
      const { client } = await startMarket([answer]);
      expect(await errorOf(client.listInstances())).toMatchObject({ kind: 'contract' });
    }
  });
});

describe('one instance', () => {
  it('is read by the requested id', async () => {
    const answer = { instances: { actual_status: 'loading', ssh_host: 'h', ssh_port: '22' } };
    const { client, sent } = await startMarket([answer]);
    const instance = await client.getInstance(7);
    expect(instance).toMatchObject({ instanceId: 7, actualStatus: 'loading', sshHost: 'h', sshPort: 22 });
    expect(sent()).toMatchObject([{ method: 'GET', path: '/api/v0/instances/7/', key: 'reading' }]);
  });

  it.each([{ instances: null }, { instances: [] }, { instances: { id: 8 } }])(
    'is not found in %j',
    async (answer) => {
      const { client } = await startMarket([answer]);
      expect(await errorOf(client.getInstance(7))).toMatchObject({ kind: 'contract' });
    },
  );
});
