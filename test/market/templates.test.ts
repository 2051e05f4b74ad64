import { describe, expect, it } from 'vitest';
import type { TemplateDraft, TemplateQuery } from '../../src/market/template.ts';
import { parseDialect } from '../../src/market/vast/dialect.ts';
import { actGood } from './every-call.ts';
import { errorOf } from './test-client.ts';
import { sentBy, startMarket } from './wire.ts';

const none = { success: true, templates_found: 0, templates: [] };

describe('the template search', () => {
  it('sends JSON text with the reading key', async () => {
    const filters = { name: { eq: 'a b' }, count_created: { gte: 2 }, use_ssh: { eq: true } };
    const query = { filters, columns: ['hash_id', 'id'], orderBy: 'count_created' };
    const sent = await sentBy((client) => client.searchTemplates(query), none);
    expect(sent).toMatchObject({ method: 'GET', path: '/api/v0/template/', body: null, key: 'reading' });
    expect(sent.query).toEqual({
      select_filters: JSON.stringify(filters),
      select_cols: '["id","name","image","hash_id"]',
      order_by: 'count_created',
    });
    const all = await sentBy((client) => client.searchTemplates(), none);
    expect(all.query).toEqual({ select_filters: '{}', select_cols: '["*"]' });
  });

  it('is sent as the dialect says', async () => {
    const text = '{"templates":{"searchPath":"/t","columnsParameter":"cols","orderParameter":"order"}}';
    const options = { dialect: parseDialect(text, 'd') };
    const sent = await sentBy((client) => client.searchTemplates({ orderBy: 'id' }), none, options);
    expect(sent).toMatchObject({ path: '/t', query: { cols: '["*"]', order: 'id' } });
  });

  it.each([
    [{ filters: { image: { like: 'x' } } }, /no operator "like"/],
    [{ filters: { imag: { eq: 'x' } } }, /filter imag: no such field; did you mean image\?/],
    [{ orderBy: 'a,b' }, /order "a,b"/],
  ] as [object, RegExp][])('refuses %j', async (query, text) => {
    const { client, sent } = await startMarket([none]);
    await expect(client.searchTemplates(query as TemplateQuery)).rejects.toThrow(text);
    expect(sent()).toHaveLength(0);
  });

  it('reads records, drops registry passwords and counts unreadable records', async () => {
    const templates = [
      {
        id: 1,
        name: 'n',
        image: 'i',
        hash_id: 'h',
        docker_login_pass: 's3cret',
        extra_filters: '{"id":{"eq":1}}',
      },
      { id: 2, name: 'm', image: 'j', extra_filters: { num_gpus: { gte: 2 } }, env: '-e A=1', onstart: '' },
      { id: 3, name: 'no image' },
    ];
    const { client } = await startMarket([{ success: true, templates_found: 9, templates }]);
    const list = await client.searchTemplates();
    expect(list).toMatchObject({ found: 9, rejected: [{ reason: 'image: missing' }] });
    expect(JSON.stringify(list)).not.toContain('s3cret');
    expect(list.templates).toMatchObject([
      { templateId: 1, hashId: 'h', name: 'n', image: 'i', env: null, extraFilters: { id: { eq: 1 } } },
      { templateId: 2, hashId: null, env: '-e A=1', onstart: null, extraFilters: { num_gpus: { gte: 2 } } },
    ]);
  });

  it("that fails is an error with the market's words", async () => {
    const { client } = await startMarket([{ success: false, error: 'invalid_args', msg: 'bad column' }]);
    const error = await errorOf(client.searchTemplates());
    expect(error).toMatchObject({ kind: 'contract', code: 'invalid_args', httpStatus: 200 });
    expect(error.message).toContain('invalid_args: bad column');
  });
});

describe('a new template', () => {
  const full: TemplateDraft = {
    ...{ name: 'n', image: 'i', tag: 't', description: 'd', readme: 'r', onstart: 'o', runtype: 'jupyter' },
    ...{
      args: 'a',
      useSsh: true,
      sshDirect: false,
      jupyterDirect: true,
      jupyterDir: null,
      useJupyterLab: true,
    },
    ...{ dockerLoginRepo: 'repo', dockerLoginUser: 'me', dockerLoginPass: 'pass', href: 'h', repo: 'p' },
    ...{ extraFilters: { num_gpus: { eq: 1 } }, recommendedDiskGb: 16, isPrivate: true },
    env: { A: 'b c', '-p 80:8080': '1' },
  };

  it('sends every field by its name, and env as flags', async () => {
    const sent = await sentBy((client) => client.createTemplate(full), actGood);
    expect(sent).toMatchObject({ method: 'POST', path: '/api/v0/template/', key: 'acting' });
    expect(sent.body).toEqual({
      ...{ name: 'n', image: 'i', tag: 't', desc: 'd', readme: 'r', onstart: 'o', runtype: 'jupyter' },
      ...{ args_str: 'a', use_ssh: true, ssh_direct: false, jup_direct: true, jupyter_dir: null },
      ...{ use_jupyter_lab: true, docker_login_repo: 'repo', docker_login_user: 'me' },
      ...{ docker_login_pass: 'pass', href: 'h', repo: 'p', extra_filters: { num_gpus: { eq: 1 } } },
      ...{ recommended_disk_space: 16, private: true, env: "-e A='b c' -p 80:8080" },
    });
  });

  it('has empty registry fields without a registry', async () => {
    const sent = await sentBy((client) => client.createTemplate({ name: 'n', image: 'i' }), actGood);
    const empty = { docker_login_repo: '', docker_login_user: '', docker_login_pass: '' };
    expect(sent.body).toEqual({ name: 'n', image: 'i', ...empty });
  });

  it('counts as created only if the answer has its id and hash', async () => {
    const answers = [{ success: true }, { template: { id: 1 } }, { template: { hash_id: 'h' } }];
    for (const answer of answers) {
      const { client } = await startMarket([answer]);
      const error = await errorOf(client.createTemplate({ name: 'n', image: 'i' }));
      expect(error).toMatchObject({ kind: 'contract', outcome: 'unknown' });
    }
    const { client } = await startMarket([{ template: { id: 4, hash_id: 'h4' } }]);
    expect(await client.createTemplate({ name: 'n', image: 'i' })).toEqual({ templateId: 4, hashId: 'h4' });
  });

  it('hides the registry password if the market repeats it', async () => {
    const { client } = await startMarket([{ success: false, error: 'invalid_args', msg: 'login p4ssw0rd!' }]);
    const draft = { name: 'n', image: 'i', dockerLoginUser: 'u', dockerLoginPass: 'p4ssw0rd!' };
    expect((await errorOf(client.createTemplate(draft))).message).toContain('login [key]');
  });

  it.each<[object, RegExp]>([
    [{ name: '' }, /needs a name/],
    [{ image: '' }, /needs an image/],
    [{ env: "-e A='b" }, /unclosed quote/],
    [{ env: '--gpus all' }, /"--gpus" is not accepted: write -e NAME=value or -p HOST:CONTAINER/],
    [{ env: '-p 80:0' }, /not a port mapping/],
    [{ onstart: 'x'.repeat(4_049) }, /4049 characters/],
    [{ runtype: 'x' }, /runtype "x"/],
    [{ recommendedDiskGb: 0 }, /recommended disk 0/],
    [{ dockerLoginPass: 'p' }, /needs its user/],
    [{ extraFilters: { num_gpus: { eq: 'two' } } }, /eq needs a number, not "two"/],
  ])('is refused before anything is sent: %j', async (changes, text) => {
    const { client, sent } = await startMarket([actGood]);
    await expect(client.createTemplate({ name: 'n', image: 'i', ...changes })).rejects.toThrow(text);
    expect(sent()).toHaveLength(0);
  });
});

describe('an edited template', () => {
  it('sends only its hash and the changed fields, and returns the new hash', async () => {
    const { client, sent } = await startMarket([{ success: true, template: { hash_id: 'new' } }]);
    expect(await client.editTemplate('old', { tag: 'v2', jupyterDir: null })).toEqual({ hashId: 'new' });
    const body = { hash_id: 'old', tag: 'v2', jupyter_dir: null };
    expect(sent()).toMatchObject([{ method: 'PUT', path: '/api/v0/template/', body, key: 'acting' }]);
    expect(Object.keys(Object(sent()[0]?.body))).toHaveLength(3);
  });

  it('is refused with the numeric id and without a change', async () => {
    const { client, sent } = await startMarket([actGood]);
    await expect(client.editTemplate('42', { tag: 'x' })).rejects.toThrow(/numeric id/);
    await expect(client.editTemplate('h', {})).rejects.toThrow(/changes nothing/);
    await expect(client.editTemplate('h', { name: '' })).rejects.toThrow(/needs a name/);
    expect(sent()).toHaveLength(0);
  });
});

it('a template is deleted by its numeric id', async () => {
  const sent = await sentBy((client) => client.deleteTemplate(42), actGood);
  expect(sent).toMatchObject({
    method: 'DELETE',
    path: '/api/v0/template/',
    body: { template_id: 42 },
    key: 'acting',
  });
  const { client } = await startMarket([actGood]);
  await expect(client.deleteTemplate(Number('0a1b'))).rejects.toThrow(/numeric id, not the hash/);
});
