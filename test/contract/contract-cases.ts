import { readWireFolder, type WireCase } from './wire-file.ts';

/** Requests of `wire/server` that change nothing, so they can be sent to any market. */
const readingRequest = /^(?:GET \/|POST \/api\/v0\/bundles\/? )/;

/** The cases that a raw socket plays against a market. Throws if a case marked as reading would change something. */
export function serverCases(): WireCase[] {
  const cases = readWireFolder(new URL('wire/server/', import.meta.url), 'server');
  for (const { id, blocks } of cases.filter((each) => !isWriting(each) && !isRefused(each))) {
    const changing = blocks.find(({ name, text }) => name === 'request' && !readingRequest.test(text));
    if (changing !== undefined) throw new Error(`${id} says that it only reads, but sends ${changing.text}`);
  }
  return cases;
}

/** The cases that a scripted server plays to the market client. */
export const clientCases = (): WireCase[] =>
  readWireFolder(new URL('wire/client/', import.meta.url), 'client');

/** Whether a case creates, changes or destroys something. */
export const isWriting = ({ header }: WireCase): boolean => header.kind === 'write';

/** Whether all of its requests come without the key and are therefore refused. */
const isRefused = ({ blocks }: WireCase): boolean =>
  blocks.every(({ name, text }) => name !== 'request' || !text.includes('Bearer {{'));
