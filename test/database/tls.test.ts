import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { connect as connectSocket, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { connect, type DatabaseTarget } from '../../src/database/connection.ts';
import { explainRefusal } from '../../src/database/explain-refusal.ts';
import { openJobQueue } from '../../src/jobs/job-queue.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestDatabase } from '../support/test-database.ts';

const sslRequest = 80877103;

/** The PostgreSQL of the tests behind TLS: a connection asks for it as PostgreSQL's clients do, and is passed on. */
async function startTlsFront(target: DatabaseTarget, key: string, cert: string) {
  const secureContext = createSecureContext({ key, cert });
  const open = new Set<Socket>();
  let plain = 0;
  const server = createServer((raw) => {
    open.add(raw);
    raw.on('error', () => raw.destroy());
    raw.once('data', (first) => {
      if (first.readInt32BE(4) !== sslRequest) {
        plain += 1;
        raw.destroy();
        return;
      }
      raw.write('S');
      const client = new TLSSocket(raw, { isServer: true, secureContext });
      const behind =
        'url' in target
          ? connectSocket(Number(new URL(target.url).port || 5432), new URL(target.url).hostname)
          : connectSocket(`${target.socketDir}/.s.PGSQL.${target.port}`);
      open.add(behind);
      for (const socket of [client, behind]) {
        socket.on('error', () => [client, behind].forEach((each) => void each.destroy()));
        socket.on('close', () => [client, behind].forEach((each) => void each.destroy()));
      }
      client.pipe(behind).pipe(client);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    plain: () => plain,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('a database behind TLS', () => {
  let folder: string;
  let front: Awaited<ReturnType<typeof startTlsFront>>;
  let urlWith: (search: string, host?: string) => string;
  let ca: string;
  let other: string;

  const makeCertificate = (name: string, alternative: string): string => {
    const path = join(folder, `${name}.pem`);
    execFileSync(
      'openssl',
      [
        ...[
          'req',
          '-x509',
          '-newkey',
          'ec',
          '-pkeyopt',
          'ec_paramgen_curve:prime256v1',
          '-nodes',
          '-days',
          '2',
        ],
        ...['-subj', `/CN=${name}`, '-addext', `subjectAltName=${alternative}`],
        ...['-keyout', join(folder, `${name}.key`), '-out', path],
      ],
      { stdio: 'ignore' },
    );
    return path;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offerbook-tls-'));
    ca = makeCertificate('server', 'DNS:localhost');
    other = makeCertificate('other', 'DNS:localhost');
    const { target } = await createTestDatabase();
    front = await startTlsFront(
      target,
      readFileSync(join(folder, 'server.key'), 'utf8'),
      readFileSync(ca, 'utf8'),
    );
    const server = inject('server');
    const user = 'url' in target ? new URL(target.url).username : target.user;
    const password = 'url' in server ? new URL(server.url).password : '';
    const database = 'url' in target ? new URL(target.url).pathname.slice(1) : target.database;
    urlWith = (search, host = 'localhost') =>
      `postgres://${user}${password === '' ? '' : `:${password}`}@${host}:${front.port}/${database}?${search}`;
  });

  afterAll(async () => {
    await front.close();
    await rm(folder, { recursive: true, force: true });
  });

  const ask = async (url: string): Promise<unknown> => {
    const sql = connect({ url }, { max: 1 });
    try {
      const [row] = await sql<{ one: number }[]>`select 1 as one`;
      return row?.one;
    } finally {
      await sql.end({ timeout: 1 });
    }
  };
  const asText = (path: string): string => encodeURIComponent(path);

  it('is reached with the root certificate of sslrootcert, and verified by it', async () => {
    expect(await ask(urlWith(`sslmode=verify-full&sslrootcert=${asText(ca)}`))).toBe(1);
    expect(await ask(urlWith(`sslrootcert=${asText(ca)}`))).toBe(1);
    expect(await ask(urlWith(`sslmode=verify-ca&sslrootcert=${asText(ca)}`, '127.0.0.1'))).toBe(1);
    await expect(ask(urlWith(`sslmode=verify-full&sslrootcert=${asText(ca)}`, '127.0.0.1'))).rejects.toThrow(
      /does not match|altnames/,
    );
    for (const mode of ['require', 'verify-ca', 'verify-full']) {
      const refused = ask(urlWith(`sslmode=${mode}&sslrootcert=${asText(other)}`)).catch((error) =>
        explainRefusal(error as Error),
      );
      expect(await refused, mode).toMatch(/^its certificate is not of an authority .* sslrootcert .*\.$/);
    }
    expect(front.plain()).toBe(0);
  });

  it('is also verified for connections beside the pool and of the job queue', async () => {
    const target = { url: urlWith(`sslmode=verify-full&sslrootcert=${asText(ca)}`) };
    const sql = connect(target, { max: 1 });
    const reserved = await sql.reserve();
    expect(await reserved`select 1 as one`).toEqual([{ one: 1 }]);
    reserved.release();
    await sql.end();
    const queue = await openJobQueue({ target, log: silentLog, supervise: false });
    await queue.stop();
    expect(front.plain()).toBe(0);
  });

  it('names a file that cannot be read, or contains no certificate', async () => {
    await expect(
      ask(urlWith(`sslmode=verify-full&sslrootcert=${asText(join(folder, 'gone.pem'))}`)),
    ).rejects.toThrow(
      `The file ${join(folder, 'gone.pem')} that sslrootcert names cannot be read (ENOENT): check the path.`,
    );
    const empty = join(folder, 'empty.pem');
    await writeFile(empty, 'hello');
    await expect(ask(urlWith(`sslrootcert=${asText(empty)}`))).rejects.toThrow(/holds no PEM text/);
    await expect(ask(urlWith(`sslmode=disable&sslrootcert=${asText(ca)}`))).rejects.toThrow(
      /sslmode=disable/,
    );
  });
});
