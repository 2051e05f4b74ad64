import type { SettingNames } from '../setting-names.ts';
import { brokenContract } from '../wire/record-rows.ts';
import type { EndpointName } from './dialect.ts';
import type { VastEngine } from './engine.ts';

/** The engines of a client, one for the reading key and one for the acting key; the same if there is one key. */
export interface Engines {
  /** For messages. */
  names: SettingNames;
  read: VastEngine;
  act: VastEngine;
}

/** `path` with `{id}` replaced. */
export const pathOf = (path: string, id: number): string => path.replace('{id}', String(id));

/** Sends an acting call that must be answered with `success: true`; anything else is a MarketError. */
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
