import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type { ApiAnswer } from './endpoints/endpoint.ts';
import { jsonParts } from './json-stream.ts';

/** Sends a complete response, gzipped if the client accepts it. */
export async function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: ApiAnswer,
): Promise<void> {
  response.statusCode = answer.status;
  response.setHeader('content-type', contentType(answer));
  response.setHeader('vary', 'accept-encoding');
  const parts = Readable.from('body' in answer ? jsonParts(answer.body) : [answer.text]);
  if (!takesGzip(request)) return pipeline(parts, response);
  response.setHeader('content-encoding', 'gzip');
  return pipeline(parts, createGzip({ level: constants.Z_BEST_SPEED }), response);
}

/** A response's type and complete text. */
export function answerText(answer: ApiAnswer): { status: number; text: string; contentType: string } {
  const text = 'body' in answer ? JSON.stringify(answer.body) : answer.text;
  return { status: answer.status, text, contentType: contentType(answer) };
}

const contentType = (answer: ApiAnswer): string =>
  'body' in answer ? 'application/json' : answer.contentType;

function takesGzip(request: IncomingMessage): boolean {
  const accepted = String(request.headers['accept-encoding'] ?? '').toLowerCase();
  return accepted
    .split(',')
    .some((coding) => /^\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/.test(coding));
}
