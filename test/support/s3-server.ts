import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AwsClient } from 'aws4fetch';

/** What happens to a request instead of the server's answer; null: nothing. */
export type S3Fault = (method: string, path: string) => number | S3Refusal | 'cut' | 'cut after' | null;

/** An answer with this code, or with no body. */
export interface S3Refusal {
  status: number;
  code: string | null;
}

export interface S3Server {
  /** Variables for a program that uses its bucket `lake`. */
  env: Record<string, string>;
  /** Changed by tests. */
  fault: { of: S3Fault };
  /** Requests so far, as `PUT /lake/…`. */
  requests: string[];
  /** Where it keeps its objects. */
  folder: string;
  /** The content of an object of the bucket. */
  read: (key: string) => Promise<Buffer>;
  close: () => Promise<void>;
}

const program = `
  const S3rver = require('@20minutes/s3rver');
  const options = { address: '127.0.0.1', port: 0, silent: true, vhostBuckets: false, configureBuckets: [{ name: 'lake' }] };
  new S3rver({ ...options, directory: process.argv[1] }).run().then(({ port }) => console.log(port));`;

/** A server of S3 that checks signatures, with the bucket `lake`, behind a proxy that can fail. */
export async function startS3Server(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'offerbook-s3-'));
  // Its pages of lists need a cipher that Node has only with this option.
  const child = spawn(process.execPath, ['--openssl-legacy-provider', '--eval', program, folder], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(line.toString());
  const fault: { of: S3Fault } = { of: () => null };
  const requests: string[] = [];

  const proxy = createServer((asked, answer) => {
    const { method = '', url = '' } = asked;
    requests.push(`${method} ${url}`);
    const failure = fault.of(method, url);
    if (failure === 'cut') return void asked.socket.destroy();
    if (failure !== null && failure !== 'cut after') {
      asked.resume();
      const { status, code } = typeof failure === 'number' ? { status: failure, code: 'SlowDown' } : failure;
      if (status < 400) answer.setHeader('location', url);
      return void answer.writeHead(status).end(code === null ? '' : `<Error><Code>${code}</Code></Error>`);
    }
    const forwarded = request({ port, host: '127.0.0.1', method, path: url, headers: asked.headers });
    forwarded.on('response', (response: IncomingMessage) => {
      if (failure === 'cut after') return void asked.socket.destroy();
      answer.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(answer);
    });
    forwarded.on('error', () => asked.socket.destroy());
    // A client that was killed has sent a part only.
    asked.on('close', () => void (asked.complete || forwarded.destroy()));
    asked.pipe(forwarded);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const client = new AwsClient({ accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', service: 's3' });
  return {
    read: async (key) => {
      const path = key.split('/').map(encodeURIComponent).join('/');
      const answer = await client.fetch(`${address}/lake/${path}`);
      if (!answer.ok) throw new Error(`${key}: ${answer.status}`);
      return Buffer.from(await answer.arrayBuffer());
    },
    env: { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER', AWS_ENDPOINT_URL_S3: address },
    fault,
    requests,
    folder,
    close: async () => {
      proxy.closeAllConnections();
      proxy.close();
      child.kill('SIGKILL');
      await once(child, 'close');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
