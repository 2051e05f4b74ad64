import type { ApiAnswer, ApiRequest, Route } from './endpoints/endpoint.ts';
import type { Identity } from './keys.ts';
import { Refusal } from './refusal.ts';

/** A request as received, with its path separated from its query. */
export interface IncomingCall {
  route: Route;
  /** Key from the `authorization` header; null: none. */
  key: string | null;
  /** The client's address. */
  address: string;
}

interface Gate {
  identityOf: (key: string) => Identity | null;
  /** Returns the refusal of a request that comes too soon; null: accepted. */
  throttle: (endpoint: Route['endpoint'], identity: string, address: string) => ApiAnswer | null;
  /** How a wrong key is refused. */
  wrongKeyStatus: (route: Route) => number;
}

/**
 * Answers a call: key, permission and rate limit first, then the endpoint. `request` returns the endpoint's input once
 * the key was accepted.
 */
export async function answerCall(
  call: IncomingCall,
  gate: Gate,
  request: (identity: Identity) => Promise<ApiRequest | ApiAnswer>,
): Promise<{ answer: ApiAnswer; identity: Identity | null }> {
  const { route, key } = call;
  const identity = key === null ? null : gate.identityOf(key);
  if (identity === null) return { answer: wrongKey(route, key, gate), identity };
  const refused = refuse(call, identity, gate);
  if (refused !== null) return { answer: refused, identity };
  const read = await request(identity);
  if ('status' in read) return { answer: read, identity };
  try {
    return { answer: route.answer(read), identity };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { answer: { status: error.status, body: error.body }, identity };
  }
}

function wrongKey(route: Route, key: string | null, { wrongKeyStatus }: Gate): ApiAnswer {
  return {
    status: key === null ? 403 : wrongKeyStatus(route),
    body: { success: false, error: 'auth_error', msg: 'Invalid user key' },
  };
}

function refuse({ route, address }: IncomingCall, identity: Identity, gate: Gate): ApiAnswer | null {
  const allowed =
    identity.kind === 'instance' ? route.instanceKeys === true : identity.permissions.has(route.permission);
  if (!allowed) {
    const msg = `this key lacks the permission ${route.permission}`;
    return { status: 403, body: { success: false, error: 'auth_error', msg } };
  }
  return gate.throttle(route.endpoint, identity.name, address);
}
