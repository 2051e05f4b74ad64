import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ChannelAnswer } from '../../src/watches/channels/channels.routes.ts';
import { readText } from '../structure/source-files.ts';
import { fencedBlocks } from '../support/document-blocks.ts';
import { freePort } from '../support/free-port.ts';
import { createTestApp } from '../support/test-app.ts';
import { requireDescribedWebhook } from './described-webhooks.ts';
import { startReceiver } from './receiver.ts';

type Made = ChannelAnswer & { madeSecret: string };

/** An app with the real time, and a webhook to an address. */
async function webhookTo(url: string) {
  const { app, tokens, clock } = await createTestApp();
  clock.now = new Date();
  const send = async (path: string, body?: object) =>
    await app.request(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.admin}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const made = (await (
    await send('/api/channels', { kind: 'webhook', name: 'hook', config: { url } })
  ).json()) as Made;
  const test = async () => await (await send(`/api/channels/${made.id}/test`)).json();
  return { clock, made, test };
}

/** The receiver of docs/webhooks.md, running with a signing key. */
async function startDocumentedReceiver(port: number, secret: string) {
  const [example] = fencedBlocks(readText('docs/webhooks.md')).filter(({ language }) => language === 'js');
  const folder = await mkdtemp(join(tmpdir(), 'offerbook-webhooks-'));
  const file = join(folder, 'receive.mjs');
  await writeFile(file, example?.text ?? '');
  const env = { PORT: String(port), WEBHOOK_SECRET: secret };
  const program = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  program.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  onTestFinished(async () => {
    program.kill();
    if (program.exitCode === null) await once(program, 'exit');
    await rm(folder, { recursive: true });
  });
  const answers = async () =>
    await fetch(`http://127.0.0.1:${port}`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(answers, { timeout: 60_000 }).toBe(401);
  return { printed: () => printed };
}

describe('the receiver of docs/webhooks.md', () => {
  it('takes what Offerbook sends, once, and refuses an old one', async () => {
    const port = await freePort();
    const { made, test, clock } = await webhookTo(`http://127.0.0.1:${port}/hook`);
    const { printed } = await startDocumentedReceiver(port, made.madeSecret);
    expect(await test()).toEqual({ state: 'sent', problem: null });
    // The line may come after the answer.
    await expect.poll(printed).toBe('offerbook.test Offerbook: a sample for hook\n');
    clock.now = new Date(Date.now() - 10 * 60_000);
    expect(await test()).toEqual({ state: 'failed', problem: 'HTTP 401' });
    expect(printed().split('\n')).toHaveLength(2);
  });

  it('refuses a genuine request whose body, id, timestamp or signature was changed', async () => {
    const between = await startReceiver();
    const { made, test } = await webhookTo(between.url);
    await test();
    const [genuine] = between.received;
    const { body = '', headers = {} } = genuine ?? {};
    const port = await freePort();
    const { printed } = await startDocumentedReceiver(port, made.madeSecret);
    const forward = async (changed: Record<string, string>, text = body) => {
      const sent = Object.fromEntries(
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]),
      );
      const answer = await fetch(`http://127.0.0.1:${port}`, {
        method: 'POST',
        headers: { ...sent, ...changed },
        body: text,
      });
      return [answer.status, await answer.text()];
    };
    const wrong = [401, 'the signature is wrong'];
    expect(await forward({}, body.replace('sample', 'Sample'))).toEqual(wrong);
    expect(await forward({ 'webhook-id': 'another' })).toEqual(wrong);
    expect(await forward({ 'webhook-timestamp': String(Math.floor(Date.now() / 1000) + 60) })).toEqual(wrong);
    expect(await forward({ 'webhook-signature': '' })).toEqual(wrong);
    expect(await forward({ 'webhook-timestamp': '' })).toEqual([401, 'the timestamp is too old']);
    expect(printed()).toBe('');
    // A repeat is taken, and handled once.
    expect([await forward({}), await forward({})]).toEqual([
      [204, ''],
      [204, ''],
    ]);
    await expect.poll(() => printed().trim()).toMatch(/^.+$/);
  });

  it('answers 500 to a genuine request that it fails to handle, so that it comes again', async () => {
    const port = await freePort();
    const key = Buffer.from('a key of this test');
    const { printed } = await startDocumentedReceiver(port, `whsec_${key.toString('base64')}`);
    const [id, timestamp, body] = ['one', String(Math.floor(Date.now() / 1000)), '{"id":"one","data":null}'];
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    const { status } = await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      headers: {
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      },
      body,
    });
    expect([status, printed()]).toEqual([500, '']);
  });
});

describe('a test', () => {
  it('is told from everything else by its type, and is as described', async () => {
    const receiver = await startReceiver();
    const { test } = await webhookTo(receiver.url);
    await test();
    const body = receiver.received[0]?.body ?? '';
    expect(JSON.parse(body)).toMatchObject({
      type: 'offerbook.test',
      replay: false,
      data: { kind: 'test', ruleId: null, watchId: null, data: { sample: true } },
    });
    requireDescribedWebhook(body);
  });
});
