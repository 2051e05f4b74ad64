// Sends due deliveries of some channels until it is killed; its clock runs fast, so that pauses are short.
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type DatabaseTarget } from '../src/database/connection.ts';
import { withChannelLock } from '../src/watches/channels/channel-lock.sql.ts';
import { createGuardedHttp } from '../src/watches/channels/guarded-http.ts';
import { sendDue } from '../src/watches/channels/outbox.ts';
import { createSecretBox } from '../src/watches/channels/secret-box.ts';

interface Task {
  target: DatabaseTarget;
  channelIds: string[];
  secretsKey: string;
  /** Start of the fast clock, and its factor. */
  beganAt: number;
  speed: number;
}

const task = JSON.parse(process.argv[2] ?? '') as Task;
const sql = connect(task.target, { max: 4, applicationName: 'offerbook-prove-child' });
const now = () => new Date(task.beganAt + (Date.now() - task.beganAt) * task.speed);
const http = createGuardedHttp({ allowPrivate: true, timeoutMs: 400 });
const push = { keys: async () => null, subject: 'mailto:a@example.com' };
const tools = { http, smtpUrl: null, mailFrom: 'a@example.com', filesDir: '/nowhere', now, push };
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const outbox = { sql, secrets: createSecretBox(task.secretsKey), tools, log: silent, now };
const { signal } = new AbortController();

process.stdout.write('ready\n');
for (;;) {
  const rounds = task.channelIds.map((id) =>
    withChannelLock(sql, id, async () => void (await sendDue(outbox, id, signal))),
  );
  await Promise.allSettled(rounds);
  await delay(10);
}
