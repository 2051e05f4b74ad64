import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { saveChannel } from '../../src/watches/channels/channels.sql.ts';
import { addDeliveries } from '../../src/watches/channels/deliveries.sql.ts';
import { createSecretBox } from '../../src/watches/channels/secret-box.ts';
import type { Proof, ProofOptions } from '../proof.ts';
import { openProofDatabases } from '../proof-databases.ts';
import { createRandom } from '../seeded-random.ts';

const channels = 3;
const child = join(import.meta.dirname, '../deliver-child.ts');
const secretsKey = 'the key of this proof';
const maxMs = 600_000;
/** Maximum wait for a delivery: pauses between attempts may be long. */
const maxAimMs = 30_000;

/**
 * Kills the sender repeatedly while receivers answer 500, hang or are down: every second time just after a receiver has
 * got a message and before it answers, every fourth time while no receiver listens. All messages arrive, in order, and
 * repeats have the same id. `runs` kills.
 */
export async function proveDeliveries({ seed, log, server, runs = 100 }: ProofOptions): Promise<Proof> {
  const random = createRandom(seed);
  const databases = await openProofDatabases(server, log);
  const received = new Map<string, string[]>();
  const answered = new Set<string>();
  let [again, aimed, downs] = [0, 0, 0];
  let killSender: (() => void) | null = null;
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      const path = request.url ?? '';
      const id = String(request.headers['webhook-id']);
      received.set(path, [...(received.get(path) ?? []), id]);
      // Its sender was killed before it could record the delivery.
      if (answered.has(id)) again += 1;
      if (killSender !== null) {
        killSender();
        killSender = null;
        aimed += 1;
        answered.add(id);
        return void response.writeHead(200).end();
      }
      const fate = random();
      if (fate < 0.08) return;
      if (fate >= 0.3) answered.add(id);
      response.writeHead(fate < 0.3 ? 500 : 200).end();
    });
  });
  const listen = async (at: number): Promise<void> =>
    await new Promise((resolve) => receiver.listen(at, '127.0.0.1', resolve));
  const stopListening = async (): Promise<void> => {
    const closed = once(receiver, 'close');
    receiver.close();
    receiver.closeAllConnections();
    await closed;
  };
  await listen(0);
  const { port } = receiver.address() as AddressInfo;
  const { sql, target, drop } = await databases.create();
  const failures: string[] = [];
  let kills = 0;
  try {
    const secrets = createSecretBox(secretsKey);
    const channelIds = Array.from({ length: channels }, () => uuidv7());
    const beganAt = Date.now();
    for (const id of channelIds) {
      const secret = secrets.seal(`whsec_${Buffer.alloc(32, 7).toString('base64')}`, id);
      const config = { url: `http://127.0.0.1:${port}/${id}` };
      await saveChannel(sql, { id, kind: 'webhook', name: id, config, secret, createdAt: new Date(beganAt) });
    }
    const task = JSON.stringify({ target, channelIds, secretsKey, beganAt, speed: 200 });
    let written = 0;
    const write = async (): Promise<void> => {
      written += 1;
      const notice = {
        ...{
          kind: 'test' as const,
          title: String(written),
          lines: [],
          link: null,
          at: new Date(beganAt).toISOString(),
        },
        ...{ watchId: null, ruleId: null, data: {} },
      };
      await addDeliveries(sql, [{ notice, channelIds }], new Date(beganAt));
    };
    const waiting = async (): Promise<number> => {
      const [row] = await sql<
        { count: number }[]
      >`select count(*) as count from delivery where state = 'queued'`;
      return row?.count ?? 0;
    };
    const begin = Date.now();
    for (; kills < runs; kills += 1) {
      await write();
      const isDown = kills % 4 === 1;
      if (isDown) await stopListening();
      const sender = spawn(process.execPath, [child, task], { stdio: ['ignore', 'pipe', 'inherit'] });
      const ended = once(sender, 'exit');
      await once(sender.stdout, 'data');
      if (kills % 2 === 0) killSender = () => sender.kill('SIGKILL');
      await write();
      await Promise.race([ended, delay(killSender === null ? 30 + random() * 300 : maxAimMs)]);
      killSender = null;
      sender.kill('SIGKILL');
      await ended;
      if (isDown) await listen(port);
      if (isDown) downs += 1;
      if (kills % 20 === 0) log.info({ kills, written }, 'senders killed');
    }
    const last = spawn(process.execPath, [child, task], { stdio: ['ignore', 'pipe', 'inherit'] });
    while ((await waiting()) > 0 && Date.now() - begin < maxMs) await delay(200);
    last.kill('SIGKILL');
    await once(last, 'exit');
    const rows = await sql<{ id: string; channelId: string; state: string }[]>`
      select id, channel_id as "channelId", state from delivery order by place`;
    const unsent = rows.filter(({ state }) => state !== 'sent').length;
    if (unsent > 0) failures.push(`${unsent} deliveries were not sent`);
    if (again < aimed) failures.push(`${aimed - again} that a killed sender had sent did not come again`);
    if (aimed < Math.floor(runs / 4)) failures.push('senders were hardly ever killed while they sent');
    let requests = 0;
    for (const id of channelIds) {
      const order = rows.filter(({ channelId }) => channelId === id).map((row) => row.id);
      const got = received.get(`/${id}`) ?? [];
      requests += got.length;
      const places = got.map((each) => order.indexOf(each));
      if (places.includes(-1)) failures.push(`channel ${id}: an id that nobody wrote`);
      if (new Set(got).size !== order.length)
        failures.push(`channel ${id}: ${order.length - new Set(got).size} never arrived`);
      if (places.some((place, index) => place < (places[index - 1] ?? 0)))
        failures.push(`channel ${id}: out of order`);
    }
    const counts = {
      'senders killed': kills,
      'of them while a receiver answered': aimed,
      'of them while nobody listened': downs,
      'deliveries written': rows.length,
      'requests received': requests,
      'received again after a 200': again,
    };
    return { ok: failures.length === 0, counts, failures };
  } finally {
    receiver.closeAllConnections();
    receiver.close();
    await drop();
    await databases.close();
  }
}
