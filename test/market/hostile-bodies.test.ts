import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** Memory limit of a process that reads one: 85 MB when idle, plus the held answer and uncollected garbage. */
const promisedMb = 340;

const child = fileURLToPath(new URL('hostile-body-child.ts', import.meta.url));
const text = 'x'.repeat(60_000);
const offer = { machine_id: 1, gpu_name: 'A', num_gpus: 1, dph_base: 0.3, dph_total: 0.3 };

function* endless(head: string, part: (at: number) => string): Generator<string> {
  yield head;
  for (let at = 0; ; ) {
    let piece = '';
    for (; piece.length < 60_000; at += 1) piece += part(at);
    yield piece;
  }
}

it.each<[what: string, call: string, head: string, part: (at: number) => string]>([
  ['a text without end in a list of instances', 'instances', '{"x":"', () => text],
  ['instances without end', 'instances', '{"instances":[', (at) => `{"id":${at}},`],
  ['templates without end', 'templates', '{"templates":[', (at) => `{"id":${at},"readme":"${text}"},`],
  ['a text without end among offers', 'offers', '{"x":"', () => text],
  ['one offer without end', 'offers', '{"offers":["', () => text],
  ['empty offers without end', 'offers', '{"offers":[', () => '{},'],
  ['small offers without end', 'offers', '{"offers":[', (id) => `${JSON.stringify({ id, ...offer })},`],
  ['nesting without end', 'offers', '{"offers":[', () => '['.repeat(60_000)],
  ['blanks without end', 'offers', '', () => ' '.repeat(60_000)],
  ['one list after the other', 'offers', '{', () => '"offers":[{"id":1}],'],
])(
  'an answer of %s is refused with its bound, in little memory',
  async (_, call, head, part) => {
    const server = createServer((request, response) => {
      request.resume();
      const body = Readable.from(endless(head, part));
      body.pipe(response);
      response.on('close', () => body.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const asked = spawn(process.execPath, [child, `http://127.0.0.1:${port}`, call], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    asked.stdout.setEncoding('utf8').on('data', (piece: string) => {
      said += piece;
    });
    await once(asked, 'close');
    server.closeAllConnections();
    server.close();
    const { kind, message, rssMb } = JSON.parse(said) as { kind: string; message: string; rssMb: number };
    expect(kind).toBe('too_large');
    expect(message).toMatch(/answered with more than \d+ (MB|bytes|records|lists)/);
    expect(rssMb).toBeLessThan(promisedMb);
  },
  300_000,
);
