import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createGuardedHttp } from '../../src/watches/channels/guarded-http.ts';
import type { ChannelTools } from '../../src/watches/channels/kinds/adapter.ts';
import { createEmailChannel } from '../../src/watches/channels/kinds/email.ts';
import { type ChannelKind, channelRegistry } from '../../src/watches/channels/kinds/registry.ts';
import { signWebhook } from '../../src/watches/channels/kinds/webhook.ts';
import type { Notice } from '../../src/watches/channels/notice.ts';
import type { SendEnd } from '../../src/watches/channels/send-end.ts';
import { startMailServer } from './mail-server.ts';
import { noPush } from './no-push.ts';
import { startReceiver } from './receiver.ts';
import { nastyName, sampleReport } from './sample-report.ts';

let folder: string;
let tools: ChannelTools;
const now = new Date('2026-07-30T08:00:00Z');
const id = '0199c0de-0000-7000-8000-000000000001';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'offerbook-channels-'));
  const http = createGuardedHttp({ allowPrivate: true });
  tools = {
    http,
    smtpUrl: null,
    mailFrom: 'offerbook@example.com',
    filesDir: folder,
    now: () => now,
    push: noPush,
  };
});
afterAll(async () => {
  await tools.http.close();
  await rm(folder, { recursive: true, force: true });
});

const alert: Notice = {
  kind: 'alert',
  title: `cheap <!channel> ${nastyName}`.replace(/[\r\n]/g, ' '),
  lines: [
    `1× ${nastyName} at $0.3000/hour`,
    '<script>alert(1)</script> [x](https://evil.example) <@U1> @everyone',
  ],
  link: 'https://offerbook.example/?quote=1',
  ...{ at: now.toISOString(), watchId: null, ruleId: null, data: { value: 0.3 } },
};
const report: Notice = {
  ...alert,
  kind: 'report',
  title: 'cheap ones',
  lines: [],
  data: { report: sampleReport() },
};

async function send(
  kind: ChannelKind,
  config: object,
  secret: string | null,
  notice = alert,
): Promise<SendEnd> {
  const adapter = channelRegistry[kind];
  return await adapter.send(
    { id, notice, isReplay: false, config: adapter.config.parse(config), secret },
    tools,
  );
}

describe('a webhook', () => {
  it('is signed by the Standard Webhooks convention and contains the whole notice', async () => {
    const receiver = await startReceiver();
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    expect(await send('webhook', { url: `${receiver.url}/hook` }, secret)).toEqual({ kind: 'sent' });
    const [got] = receiver.received;
    expect(got?.headers).toMatchObject({
      'webhook-id': id,
      'webhook-timestamp': String(now.getTime() / 1000),
    });
    expect(got?.headers['webhook-signature']).toBe(
      signWebhook(secret, id, now.getTime() / 1000, got?.body ?? ''),
    );
    expect(JSON.parse(got?.body ?? '')).toEqual({
      type: 'offerbook.alert',
      timestamp: now.toISOString(),
      id,
      replay: false,
      data: alert,
    });
  });

  it("has the signature of the specification's example", () => {
    // From the Standard Webhooks specification: id, timestamp and body with their signature.
    const [key, hook] = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'msg_p5jXN8AQM9LWM0D4loKWxJek'];
    expect(signWebhook(key, hook, 1_614_265_330, '{"test": 2432232314}')).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });
});

describe('text of offers is inert', () => {
  it('in Slack: plain text blocks, entities in the fallback, no links', async () => {
    const receiver = await startReceiver();
    await send('slack', {}, `${receiver.url}/services/T/B/x`);
    const body = JSON.parse(receiver.received[0]?.body ?? '') as {
      text: string;
      blocks: { text: { type: string } }[];
    };
    expect(body.blocks.map((block) => block.text.type)).toEqual(['plain_text', 'plain_text']);
    expect(body.text).not.toMatch(/[<>]/);
    expect(body).toMatchObject({ link_names: false, parse: 'none', mrkdwn: false });
  });

  it('in Discord escapes all markup and mentions no one', async () => {
    const receiver = await startReceiver();
    await send('discord', {}, `${receiver.url}/api/webhooks/1/x`);
    const body = JSON.parse(receiver.received[0]?.body ?? '') as {
      content: string;
      allowed_mentions: object;
    };
    expect(body.allowed_mentions).toEqual({ parse: [] });
    expect(body.content).not.toMatch(/(?<!\\)[@[\]]/);
    expect(body.content).toContain('\\<script\\>');
  });

  it('in Discord at any length: a cut keeps links, characters and escapes intact', async () => {
    const receiver = await startReceiver();
    for (const length of [1, 2, 3, 4]) {
      for (const ending of ['#'.repeat(900), `${'#'.repeat(640)}${'\u{1f600}'.repeat(150)}`]) {
        const long = { ...alert, title: '*'.repeat(200), lines: ['x'.repeat(length), ending] };
        await send('discord', {}, `${receiver.url}/api/webhooks/1/x`, long);
      }
    }
    const contents = receiver.received.map(({ body }) => (JSON.parse(body) as { content: string }).content);
    for (const content of contents) {
      expect(content.length).toBeLessThanOrEqual(2_000);
      expect(content.isWellFormed()).toBe(true);
      expect(content.endsWith(`\n<${alert.link}>`)).toBe(true);
      expect(content).not.toMatch(/(?<!\\)(?:\\\\)*\\\n</);
    }
  });

  it('in Telegram and ntfy: plain text in a JSON body, nothing in a header', async () => {
    const receiver = await startReceiver();
    await send('telegram', { chatId: 42, url: receiver.url }, '123456:secret-of-the-bot');
    await send('ntfy', { url: `${receiver.url}/my-topic` }, 'tk_secret');
    const [telegram, ntfy] = receiver.received;
    expect(telegram?.path).toBe('/bot123456:secret-of-the-bot/sendMessage');
    const chat = JSON.parse(telegram?.body ?? '') as Record<string, unknown>;
    expect(chat.parse_mode).toBeUndefined();
    expect(chat).toMatchObject({ chat_id: '42', text: expect.stringContaining('<script>') });
    // Telegram finds mentions in plain text too.
    expect(chat.text).toContain('@\u2060everyone');
    expect(chat.text).not.toMatch(/@\w/);
    const names = { ...alert, lines: ['@a'.repeat(3_000)] };
    await send('telegram', { chatId: 42, url: receiver.url }, '123456:secret-of-the-bot', names);
    const long = JSON.parse(receiver.received.at(-1)?.body ?? '') as { text: string };
    // Longer ones are refused for good.
    expect(long.text.length).toBeLessThanOrEqual(4_096);
    expect(ntfy?.path).toBe('/');
    expect(ntfy?.headers).toMatchObject({ authorization: 'Bearer tk_secret', 'x-offerbook-delivery': id });
    expect(JSON.parse(ntfy?.body ?? '')).toMatchObject({
      topic: 'my-topic',
      markdown: false,
      title: alert.title,
    });
    for (const { headers } of receiver.received) expect(JSON.stringify(headers)).not.toContain('channel>');
  });

  it('in files: HTML escaped, Markdown escaped; a repeat is the same file', async () => {
    for (const notice of [alert, report]) {
      for (const format of ['html', 'md', 'txt', 'json']) {
        for (const _ of [1, 2]) await send('file', { path: 'inert', format }, null, notice);
      }
    }
    const names = await readdir(join(folder, 'inert'));
    expect(names).toHaveLength(8);
    for (const name of names) {
      // None under the name that it had while it was written.
      expect(name).toMatch(/^2\d{7}T\d+Z-/);
      const text = await readFile(join(folder, 'inert', name), 'utf8');
      if (name.endsWith('.html')) expect(text).not.toContain('<script>');
      if (name.endsWith('.md')) expect(text).not.toMatch(/(?<!\\)<script>|(?<!\\)\[x\]\(/);
    }
  });

  it('refuses a file channel that would leave its folder', () => {
    for (const path of ['../up', '/etc', 'a/b', '.hidden', '']) {
      expect(channelRegistry.file.config.safeParse({ path }).success).toBe(false);
    }
  });
});

describe('an e-mail', () => {
  it('reaches a server and can be parsed: text, HTML, files, one recipient each, its own headers', async () => {
    const mails = await startMailServer();
    tools = { ...tools, smtpUrl: mails.url };
    const config = { to: ['ada@example.com', 'bob@example.com'], attach: ['csv', 'xlsx', 'json'] };
    expect(await send('email', config, null, report)).toEqual({ kind: 'sent' });
    const mail = await PostalMime.parse(mails.received[0] ?? '');
    expect(mail.from?.address).toBe('offerbook@example.com');
    expect(mail.to?.map(({ address }) => address)).toEqual(['ada@example.com', 'bob@example.com']);
    expect(mail.subject).toBe('cheap ones');
    expect(mail.messageId).toBe(`<${id}@offerbook>`);
    expect(mail.text).toContain('offer 4711, machine 12');
    expect(mail.html).toContain('offer 4711, machine 12');
    expect(mail.html).not.toContain('<script>');
    // The week's medians as bars that need no font; a day without a book has none.
    expect(mail.html?.match(/class="bar"/g)).toHaveLength(6);
    expect(mail.html).toContain('$0.4100 to $0.3500');
    const files = Object.fromEntries(mail.attachments.map(({ filename, content }) => [filename, content]));
    expect(Object.keys(files)).toEqual([
      'offerbook-2026-07-30.csv',
      'offerbook-2026-07-30.xlsx',
      'offerbook-2026-07-30.json',
    ]);
    const csv = Buffer.from(files['offerbook-2026-07-30.csv'] as ArrayBuffer).toString('utf8');
    const rows = parse(csv, { columns: true }) as Record<string, string>[];
    expect(rows.map(({ offerId, gpuName }) => [offerId, gpuName])).toEqual([
      ['4711', nastyName],
      ['4712', `'=HYPERLINK("https://evil.example")`],
    ]);
    expect(
      JSON.parse(Buffer.from(files['offerbook-2026-07-30.json'] as ArrayBuffer).toString('utf8')),
    ).toEqual(sampleReport());
  });

  it('has no line end of an offer in a header', async () => {
    const mails = await startMailServer();
    tools = { ...tools, smtpUrl: mails.url };
    await send('email', { to: 'ada@example.com' }, null, {
      ...alert,
      title: 'x\r\nBcc: eve@example.com\r\n\r\nbody',
    });
    const mail = await PostalMime.parse(mails.received[0] ?? '');
    expect(mail.bcc ?? []).toEqual([]);
    expect(mail.headers.map(({ key }) => key)).not.toContain('bcc');
    expect(mails.recipients).toEqual([['ada@example.com']]);
  });

  it('is refused permanently if the server says so, retried if it is busy, and refused without a server', async () => {
    const mails = await startMailServer({ refuse: { 'gone@example.com': 550, 'busy@example.com': 451 } });
    tools = { ...tools, smtpUrl: mails.url };
    expect(await send('email', { to: 'gone@example.com' }, null)).toMatchObject({ kind: 'refused' });
    expect(await send('email', { to: 'busy@example.com' }, null)).toMatchObject({ kind: 'again' });
    tools = { ...tools, smtpUrl: 'smtp://ada:secret@127.0.0.1:1' };
    expect(await send('email', { to: 'ada@example.com' }, null)).toMatchObject({
      kind: 'again',
      reason: expect.stringMatching(
        /^SMTP: nothing answers at 127\.0\.0\.1:1: check .+ \(ECONNREFUSED\); it is/,
      ),
    });
    tools = { ...tools, smtpUrl: null };
    onTestFinished(() => {});
    expect(await send('email', { to: 'ada@example.com' }, null)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('SMTP_URL'),
    });
  });

  it('that some recipients lack is sent again only to them, then refused naming them', async () => {
    const refuse: Record<string, number> = { 'bob@example.com': 451, 'eve@example.com': 550 };
    const mails = await startMailServer({ refuse });
    tools = { ...tools, smtpUrl: mails.url };
    const config = { to: ['ada@example.com', 'bob@example.com', 'eve@example.com'] };
    expect(await send('email', config, null)).toEqual({
      kind: 'again',
      reason: 'SMTP, not yet accepted: bob@example.com (451)',
    });
    delete refuse['bob@example.com'];
    expect(await send('email', config, null)).toEqual({
      kind: 'refused',
      reason: 'SMTP, sent except to rejected recipients: eve@example.com (550)',
    });
    expect(mails.recipients).toEqual([['ada@example.com'], ['bob@example.com']]);
    const to = (await PostalMime.parse(mails.received[1] ?? '')).to?.map(({ address }) => address);
    expect(to).toEqual(config.to);
  });

  it.each([
    ['never greets', ''],
    ['greets and says no more', '220 mail.example.com\r\n'],
  ])(
    'to a server that %s fails for now',
    async (_, greeting) => {
      const silent = createServer((socket) => void socket.write(greeting));
      const sockets: Socket[] = [];
      silent.on('connection', (socket) => void sockets.push(socket));
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => {
        for (const socket of sockets) socket.destroy();
        silent.close();
      });
      const { port } = silent.address() as AddressInfo;
      const channel = createEmailChannel({
        connectionTimeout: 300,
        greetingTimeout: 300,
        socketTimeout: 300,
      });
      const config = channel.config.parse({ to: 'ada@example.com' });
      const hanging = { ...tools, smtpUrl: `smtp://127.0.0.1:${port}` };
      expect(
        await channel.send({ id, notice: alert, isReplay: false, config, secret: null }, hanging),
      ).toEqual({
        kind: 'again',
        reason: expect.stringMatching(
          /^SMTP: 127\.0\.0\.1:\d+ does not answer in time: check .+ \(ETIMEDOUT\); it is set in SMTP_URL$/,
        ),
      });
    },
    60_000,
  );
});
