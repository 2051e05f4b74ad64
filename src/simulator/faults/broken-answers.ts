import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type ApiAnswer, ok } from '../endpoints/endpoint.ts';
import type { Fault } from './fault-grammar.ts';

const serverError = { success: false, error: 'internal_error', msg: 'internal error' };
const gatewayPage = `<html>\r
<head><title>502 Bad Gateway</title></head>\r
<body><center><h1>502 Bad Gateway</h1></center></body>\r
</html>\r
`;
const threshold = 'API requests too frequent: endpoint threshold=3.0';
const dripMs = 50;

/**
 * Returns the well-formed response of a fault that replaces an effect; null: none, because the connection is broken
 * instead.
 */
export function answerInstead({ kind }: Fault): ApiAnswer | null {
  switch (kind) {
    case '429-json':
      return { status: 429, body: { detail: threshold } };
    case '429-text':
      return { status: 429, text: threshold, contentType: 'text/plain; charset=utf-8' };
    case '500':
    case '500-after':
      return { status: 500, body: serverError };
    case '502-html':
      return { status: 502, text: gatewayPage, contentType: 'text/html' };
    case 'success-false':
      return ok({ success: false, error: 'temporarily_unavailable', msg: 'please try again' });
    default:
      return null;
  }
}

/** Sends what a fault leaves of a response (`text` null: nothing), or hangs for ever. */
export async function sendBroken(
  response: ServerResponse,
  fault: Fault,
  answer: { status: number; text: string; contentType: string } | null,
): Promise<void> {
  if (fault.kind === 'reset-before' || fault.kind === 'reset-after') {
    response.socket?.resetAndDestroy();
    return;
  }
  if (fault.kind === 'lost-create') {
    response.socket?.end();
    return;
  }
  if (answer === null) return;
  const bytes = Buffer.from(answer.text);
  response.statusCode = answer.status;
  response.setHeader('content-type', answer.contentType);
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  if (fault.kind === 'truncated-json') {
    response.end(half);
    return;
  }
  response.setHeader('content-length', bytes.length);
  response.flushHeaders();
  if (fault.kind === 'hang-in-body') {
    response.write(half);
    return;
  }
  await drip(response, bytes, fault.value ?? 20);
}

async function drip(response: ServerResponse, bytes: Buffer, bytesPerSecond: number): Promise<void> {
  const step = Math.max(1, Math.round((bytesPerSecond * dripMs) / 1000));
  for (let at = 0; at < bytes.length && !response.destroyed; at += step) {
    response.write(bytes.subarray(at, at + step));
    await wait(dripMs, undefined, { ref: false });
  }
  response.end();
}
