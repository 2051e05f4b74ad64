import { MarketError } from '../../../core/errors.ts';
import { pathOf } from '../call.ts';
import type { Dialect } from '../dialect.ts';
import type { VastEngine } from '../engine.ts';

/** What a key may do beyond reading; null: unknown. */
export interface WriteRights {
  instanceWrite: boolean | null;
  userWrite: boolean | null;
}

/** Finds out what the reading key may do beyond reading. Throws MarketError only if nothing answers. */
export type ProbeWriteRights = (options?: { signal?: AbortSignal | undefined }) => Promise<WriteRights>;

/** An id and a hash that nothing has. */
const noInstance = Number.MAX_SAFE_INTEGER;
const noTemplate = '0'.repeat(31);

/**
 * Sends two changes to an instance and a template that do not exist: a key without the right is refused, one with it
 * gets "not found". No documented call lists rights.
 */
export function createRightsProbe(engine: VastEngine, dialect: Dialect): ProbeWriteRights {
  const { instances, templates } = dialect;
  return async ({ signal } = {}) => ({
    instanceWrite: await mayDo(engine, signal, {
      endpoint: 'changeInstance',
      path: pathOf(instances.path, noInstance),
      body: {},
    }),
    userWrite: await mayDo(engine, signal, {
      endpoint: 'templates',
      path: templates.path,
      body: { hash_id: noTemplate },
    }),
  });
}

async function mayDo(
  engine: VastEngine,
  signal: AbortSignal | undefined,
  request: { endpoint: 'changeInstance' | 'templates'; path: string; body: object },
): Promise<boolean | null> {
  try {
    await engine.send({ ...request, method: 'PUT', repeat: 'unsent' }, signal);
    return true;
  } catch (error) {
    if (!(error instanceof MarketError)) throw error;
    if (error.kind === 'auth') return false;
    return error.outcome === 'refused' && error.kind !== 'rate_limited' ? true : null;
  }
}
