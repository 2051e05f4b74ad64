import { beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../src/core/http/credential.ts';
import { loadConfig } from '../../src/service/config.ts';
import { openNotify } from '../../src/service/notify-access.ts';
import { sealAddresses } from '../../src/service/seal-addresses.ts';
import type { KindAnswer } from '../../src/watches/channels/channel-kinds.routes.ts';
import type { ChannelAnswer } from '../../src/watches/channels/channels.routes.ts';
import type { DeliveryAnswer } from '../../src/watches/channels/deliveries.routes.ts';
import { addDeliveries } from '../../src/watches/channels/deliveries.sql.ts';
import { channelKinds } from '../../src/watches/channels/kinds/registry.ts';
import { databaseText } from '../support/database-text.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestApp, readProblem, type TestApp } from '../support/test-app.ts';
import { startReceiver } from './receiver.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});

const send = async (method: string, address: string, body?: unknown, role: Role = 'admin') =>
  await test.app.request(address, {
    method,
    headers: { authorization: `Bearer ${test.tokens[role]}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const add = async (body: object): Promise<ChannelAnswer & { madeSecret: string | null }> => {
  const response = await send('POST', '/api/channels', body);
  expect(response.status, await response.clone().text()).toBe(201);
  return (await response.json()) as ChannelAnswer & { madeSecret: string | null };
};

describe('/api/channels', () => {
  it('stores every kind, with secrets in no response and not readable in the database', async () => {
    const secrets = ['tk_very_secret', '123456:bot_very_secret', 'very-secret-path', 'very-secret-topic'];
    const made = [
      await add({ kind: 'email', config: { to: 'ada@example.com' } }),
      await add({ kind: 'webhook', config: { url: `https://hook.example/x?key=${secrets[2]}` } }),
      await add({ kind: 'ntfy', config: { url: `https://ntfy.sh/${secrets[3]}` }, secret: secrets[0] }),
      await add({ kind: 'slack', config: { url: `https://hooks.slack.example/services/${secrets[2]}` } }),
      await add({ kind: 'discord', secret: `https://discord.example/api/webhooks/${secrets[2]}` }),
      await add({ kind: 'telegram', config: { chatId: 42 }, secret: secrets[1] }),
      await add({ kind: 'file', name: 'folder', config: { format: 'md' } }),
    ];
    const signing = made[1]?.madeSecret ?? '';
    expect(signing).toMatch(/^whsec_/);
    expect(made.map(({ kind, config, secretSet }) => [kind, config, secretSet])).toEqual([
      ['email', { to: ['ada@example.com'] }, false],
      ['webhook', { url: 'https://hook.example/…path' }, true],
      ['ntfy', { url: 'https://ntfy.sh/', topic: '…opic' }, true],
      ['slack', { url: 'https://hooks.slack.example/…path' }, true],
      ['discord', { url: 'https://discord.example/…path' }, true],
      ['telegram', { chatId: '42', url: 'https://api.telegram.org' }, true],
      ['file', { format: 'md' }, false],
    ]);
    const listed = await (await test.get('/api/channels')).text();
    const stored = await databaseText(test.sql);
    for (const secret of [...secrets, signing]) {
      expect(listed).not.toContain(secret);
      expect(stored).not.toContain(secret);
    }
  });

  it('lists what every kind needs, and accepts it', async () => {
    const { items } = (await (await test.get('/api/channels/kinds')).json()) as { items: KindAnswer[] };
    expect(items.map(({ kind }) => kind)).toEqual(channelKinds);
    for (const { kind, label, needs, fields } of items) {
      expect([label, fields.length > 0]).toEqual([expect.stringMatching(/\w/), true]);
      expect(needs).toMatch(/^[A-Z].+\.$/);
      for (const { name, placeholder, choices } of fields) {
        expect(placeholder).toMatch(/\w/);
        if (choices !== null) expect(choices).toContain(placeholder);
        const answer = await send('POST', '/api/channels', { kind, config: { [name]: {} } });
        const { errors } = await readProblem(answer, 400);
        expect(errors.map((error) => error.name).join()).toContain(name);
        // An unknown field would be refused with another sentence.
        expect(JSON.stringify(errors)).not.toMatch(/nrecognized|unknown/i);
      }
    }
    const format = items.find(({ kind }) => kind === 'file')?.fields.find(({ name }) => name === 'format');
    expect(format).toMatchObject({ label: 'Format', choices: ['html', 'md', 'txt', 'json'] });
  });

  it('lists what e-mail lacks until there is a mail server, whose address is never shown', async () => {
    const missing = async (app: TestApp) => {
      const text = await (await app.get('/api/channels/kinds')).text();
      expect(text).not.toContain('mail-password');
      const { items } = JSON.parse(text) as { items: KindAnswer[] };
      return items.flatMap(({ kind, missing: what }) => (what === null ? [] : [`${kind}: ${what}`]));
    };
    expect(await missing(test)).toEqual([expect.stringMatching(/^email: .*\bSMTP_URL\b.*smtps:/)]);
    const settings = { SECRETS_KEY: 'a key of the tests', SMTP_URL: 'smtp://me:mail-password@127.0.0.1:25' };
    const mayMakeKey = async () => false;
    const notify = await openNotify(loadConfig(settings), () => new Date(), { sql: test.sql, mayMakeKey });
    expect(await missing(await createTestApp({ notify: async () => notify }))).toEqual([]);
  });

  it('names settings that a kind does not accept or lacks', async () => {
    const wrong = async (body: object): Promise<string[]> =>
      (await readProblem(await send('POST', '/api/channels', body), 400)).errors.map(({ name }) => name);
    expect(await wrong({ kind: 'email', config: { to: 'no address' } })).toEqual(['config.to']);
    expect(await wrong({ kind: 'email', config: { to: 'a@b', cc: 'x' } })).toEqual(['config.cc']);
    expect(await wrong({ kind: 'webhook', config: { url: 'ftp://x' } })).toEqual(['config.url']);
    expect(await wrong({ kind: 'webhook', config: { url: 'https://x.example' }, secret: 'short' })).toEqual([
      'secret',
    ]);
    expect(await wrong({ kind: 'slack', config: {} })).toEqual(['secret']);
    expect(await wrong({ kind: 'file', config: { path: '../up' } })).toEqual(['config.path']);
    expect(await wrong({ kind: 'file', config: {}, secret: 'x' })).toEqual(['secret']);
    expect(await wrong({ kind: 'pager' })).toEqual(['kind']);
  });

  it('says at once of an address that is never sent to that it is off, and which setting allows it', async () => {
    const now = () => new Date();
    const mayMakeKey = async () => false;
    const notify = await openNotify(loadConfig({ SECRETS_KEY: 'a key of the tests' }), now, {
      sql: test.sql,
      mayMakeKey,
    });
    const careful = await createTestApp({ notify: async () => notify });
    const ask = async (method: string, path: string, body: object) =>
      (await (
        await careful.app.request(path, {
          method,
          headers: { authorization: `Bearer ${careful.tokens.admin}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).json()) as ChannelAnswer;
    const url = 'https://hook.example/x';
    const { id, offReason } = await ask('POST', '/api/channels', { kind: 'webhook', config: { url } });
    expect(offReason).toBeNull();
    for (const [method, path, body] of [
      ['POST', '/api/channels', { kind: 'webhook', name: 'a', config: { url: 'http://127.0.0.1:9/x' } }],
      ['POST', '/api/channels', { kind: 'ntfy', config: { url: 'http://localhost/topic' } }],
      ['POST', '/api/channels', { kind: 'slack', secret: 'https://10.0.0.1/services/x' }],
      ['PATCH', `/api/channels/${id}`, { config: { url: 'http://[::1]/x' } }],
    ] as const) {
      const made = await ask(method, path, body);
      expect(made.offReason).toContain('set WEBHOOK_ALLOW_PRIVATE=on and start Offerbook again');
    }
    const fixed = await ask('PATCH', `/api/channels/${id}`, { config: { url } });
    expect(fixed.offReason).toBeNull();
  });

  it('changes the given fields, keeps the secret, and sends a test message with its result', async () => {
    const receiver = await startReceiver();
    const { id } = await add({ kind: 'webhook', name: 'hook', config: { url: `${receiver.url}/a` } });
    const changed = await send('PATCH', `/api/channels/${id}`, {
      name: 'hook 2',
      config: { url: `${receiver.url}/b` },
    });
    expect(await changed.json()).toMatchObject({ name: 'hook 2', secretSet: true });
    const tried = await send('POST', `/api/channels/${id}/test`, undefined, 'operator');
    expect(await tried.json()).toEqual({ state: 'sent', problem: null });
    expect(receiver.received.map(({ path }) => path)).toEqual(['/b']);
    receiver.answer(404);
    const failed = await send('POST', `/api/channels/${id}/test`, undefined, 'operator');
    expect(await failed.json()).toEqual({ state: 'failed', problem: 'HTTP 404' });
    await readProblem(await send('POST', '/api/channels', { kind: 'file', name: 'hook 2' }), 409);
    await readProblem(await send('POST', '/api/channels', { kind: 'file' }, 'operator'), 403);
    expect((await send('DELETE', `/api/channels/${id}`)).status).toBe(204);
    await readProblem(await send('DELETE', `/api/channels/${id}`), 404);
  });
});

describe('an address', () => {
  it('that was stored unencrypted is encrypted at the next start, never shown, and used throughout', async () => {
    const { sql, app, tokens, clock } = await createTestApp();
    const receiver = await startReceiver();
    const { secrets } = await openNotify(loadConfig({ SECRETS_KEY: 'a key of the tests' }), () => clock.now, {
      sql,
      mayMakeKey: async () => false,
    });
    const id = '01900000-0000-7000-8000-000000000001';
    const key = `whsec_${'A'.repeat(43)}=`;
    const url = `${receiver.url}/services/long-secret-path`;
    await sql`insert into channel (id, kind, name, config, secret, created_at)
      values (${id}, 'webhook', 'old', ${sql.json({ url })}, ${secrets.seal(key, id)}, now())`;
    const headers = { authorization: `Bearer ${tokens.viewer}` };
    const shown = async () =>
      ((await (await app.request(`/api/channels/${id}`, { headers })).json()) as ChannelAnswer).config;
    const hint = { url: `${receiver.url}/…path` };
    const sendSample = async () =>
      await app.request(`/api/channels/${id}/test`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tokens.operator}` },
      });
    expect(await shown()).toEqual(hint);
    await sendSample();
    await sealAddresses(sql, secrets, silentLog);
    expect(await databaseText(sql)).not.toContain('long-secret-path');
    expect(await shown()).toEqual(hint);
    await sendSample();
    // A form that was not changed sends the shown value back.
    await app.request(`/api/channels/${id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${tokens.admin}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'renamed', config: hint }),
    });
    await sendSample();
    expect(receiver.received.map(({ path }) => path)).toEqual(Array(3).fill('/services/long-secret-path'));
    const signatures = receiver.received.map(({ headers: sent }) => sent['webhook-signature']);
    expect(new Set(signatures).size).toBe(3);
  });
});

describe('the hint of an address', () => {
  it.each(['webhook', 'slack', 'discord'])(
    'that is sent back as it was shown keeps a %s unchanged',
    async (kind) => {
      const receiver = await startReceiver();
      const { id, config } = await add({
        ...{ kind, name: `hint of ${kind}` },
        config: { url: `${receiver.url}/services/long-path` },
      });
      const changed = await send('PATCH', `/api/channels/${id}`, { name: `still ${kind}`, config });
      expect(await changed.json()).toMatchObject({ config, secretSet: true });
      await send('POST', `/api/channels/${id}/test`);
      expect(receiver.received.map(({ path }) => path.split('?')[0])).toEqual(['/services/long-path']);
    },
  );

  it('of a topic keeps the topic', async () => {
    const receiver = await startReceiver();
    const { id, config } = await add({
      ...{ kind: 'ntfy', name: 'hint of a topic' },
      config: { url: `${receiver.url}/long-secret-topic` },
    });
    await send('PATCH', `/api/channels/${id}`, { config });
    await send('POST', `/api/channels/${id}/test`);
    expect(receiver.received.map(({ body }) => JSON.parse(body).topic)).toEqual(['long-secret-topic']);
  });

  it('is not an address or secret of another channel', async () => {
    const url = 'https://hook.example/…path';
    const { id } = await add({ kind: 'slack', name: 'of its own', secret: 'https://hook.example/long-own' });
    const refused = [
      await send('POST', '/api/channels', { kind: 'webhook', name: 'copied', config: { url } }),
      await send('POST', '/api/channels', { kind: 'slack', name: 'copied', config: { url } }),
      await send('POST', '/api/channels', { kind: 'discord', name: 'copied', secret: url }),
      await send('PATCH', `/api/channels/${id}`, { config: { url } }),
    ];
    for (const answer of refused) expect((await readProblem(answer, 400)).detail).toMatch(/hint of a secret/);
  });

  it('of a secret sealed with another key is worthless: the secret must be entered again', async () => {
    const { sql, app, tokens } = await createTestApp();
    const { secrets } = await openNotify(
      loadConfig({ SECRETS_KEY: 'another key of the tests' }),
      () => new Date(),
      {
        sql,
        mayMakeKey: async () => false,
      },
    );
    const id = '01900000-0000-7000-8000-000000000002';
    const config = { url: 'https://hook.example/…path' };
    await sql`insert into channel (id, kind, name, config, secret, created_at)
      values (${id}, 'slack', 'moved', ${sql.json(config)}, ${secrets.seal('https://hook.example/a/path', id)}, now())`;
    const change = async (body: object, of = id) =>
      await app.request(`/api/channels/${of}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${tokens.admin}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await readProblem(await change({ config }), 400)).detail).toMatch(/SECRETS_KEY: enter it again/);
    expect((await change({ name: 'renamed' })).status).toBe(200);
    const hooked = '01900000-0000-7000-8000-000000000003';
    const sealed = secrets.seal(
      '{"v":2,"secret":"whsec_a","config":{"url":"https://hook.example/a/path"}}',
      hooked,
    );
    await sql`insert into channel (id, kind, name, config, secret, created_at)
      values (${hooked}, 'webhook', 'hooked', ${sql.json(config)}, ${sealed}, now())`;
    const secret = `whsec_${'a'.repeat(40)}`;
    for (const body of [{ secret }, { secret, config }]) {
      const { detail } = await readProblem(await change(body, hooked), 400);
      expect(detail).toBe('`config.url` was stored under another SECRETS_KEY: enter it again');
    }
    const whole = await change({ secret, config: { url: 'https://hook.example/services/whole' } }, hooked);
    expect(whole.status).toBe(200);
    const entered = await change({ config: { url: 'https://hook.example/services/entered' } });
    expect(await entered.json()).toMatchObject({
      config: { url: 'https://hook.example/…ered' },
      secretSet: true,
    });
  });
});

describe('/api/deliveries', () => {
  it('lists them page by page, shows one with its notice and sends it again once it is finished', async () => {
    const { id: channelId } = await add({ kind: 'file', name: 'for deliveries' });
    const notice = {
      ...{
        kind: 'test' as const,
        title: 'a title',
        lines: ['a line'],
        link: null,
        at: '2026-07-30T00:00:00.000Z',
      },
      ...{ watchId: null, ruleId: null, data: { a: 1 } },
    };
    await addDeliveries(
      test.sql,
      [1, 2, 3].map(() => ({ notice, channelIds: [channelId] })),
      new Date(),
    );
    type Page = { items: DeliveryAnswer[]; nextCursor: string | null };
    const path = `/api/deliveries?channelId=${channelId}&limit=2`;
    const first = await test.json<Page>(path);
    const second = await test.json<Page>(`${path}&cursor=${first.nextCursor}`);
    const items = [...first.items, ...second.items];
    expect(items.map(({ state, title }) => [state, title])).toEqual(
      [1, 2, 3].map(() => ['queued', 'a title']),
    );
    expect(second.nextCursor).toBeNull();
    const one = items[0]?.id ?? '';
    expect(await test.json(`/api/deliveries/${one}`)).toMatchObject({ notice });
    await readProblem(await send('POST', `/api/deliveries/${one}/resend`), 409);
    await test.sql`update delivery set state = 'failed', ended_at = now() where id = ${one}`;
    const again = await send('POST', `/api/deliveries/${one}/resend`, undefined, 'operator');
    expect([again.status, await again.json()]).toEqual([
      202,
      expect.objectContaining({ id: one, state: 'queued' }),
    ]);
  });
});
