import { brokenContract } from '../wire/record-rows.ts';
import type { EndpointName } from './dialect.ts';
import type { VastEngine } from './engine.ts';

/** The engines of a client: one key reads, the other acts. They are one where there is one key. */
export interface Engines {
  read: VastEngine;
  act: VastEngine;
}

/** `path` with `{id}` replaced. */
export const pathOf = (path: string, id: number): string => path.replace('{id}', String(id));

/** Sends an acting call whose answer is only `success: true`; anything else is a MarketError. */
export async function sendAct(
  engine: VastEngine,
  endpoint: EndpointName,
  method: 'PUT' | 'POST' | 'DELETE',
  path: string,
  body: unknown,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { json } = await engine.send({ endpoint, method, path, body, repeat: 'unsent' }, signal);
  if (json.success !== true) throw brokenContract(`${method} ${path}`, 'without `success: true`');
}
