import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Send = (response: ServerResponse) => void;

const json =
  (status: number, body: unknown): Send =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const badKey = { success: false, error: 'auth_error', msg: 'Invalid user key' };

/** Answers that no fault of the simulators gives: the other rows of docs/faults.md, and an answer without a list. */
export const rawAnswers: Readonly<Record<string, Send>> = {
  redirect: (response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
  '401': json(401, badKey),
  '403': json(403, badKey),
  '404-user-key': json(404, badKey),
  '410': json(410, { success: false, error: 'gone' }),
  '200-html': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>It works'),
  'empty-body': (response) => response.writeHead(200).end(),
  'truncated-body': (response) => {
    response.writeHead(200, { 'content-length': 99 }).write('{"');
    setTimeout(() => response.destroy(), 50);
  },
  'no list': json(200, { code: 0, success: true }),
};

/** The error codes of the second marketplace, except the one for too many requests. */
export const codeAnswers: Readonly<Record<string, Send>> = Object.fromEntries(
  [1, 2, 3, 4, 6].map((code) => [`code ${code}`, json(200, { code, error: `code ${code}` })]),
);

/** A server that always returns the answer that is set. */
export interface RawServer {
  port: number;
  /** Null: nothing is answered. */
  set: (send: Send | null) => void;
  /** Requests since the answer was set. */
  answered: () => number;
  close: () => void;
}

export async function startRawServer(): Promise<RawServer> {
  let send: Send | null = null;
  let answered = 0;
  const server = createServer((_request, response) => {
    answered += 1;
    send?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    set: (answer) => {
      send = answer;
      answered = 0;
    },
    answered: () => answered,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
