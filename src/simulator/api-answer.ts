import type { ApiAnswer, ApiRequest, Route } from './endpoints/endpoint.ts';
import type { Identity } from './keys.ts';
import type { MutantSwitch } from './mutant-switch.ts';
import { answerMutants, mutateAnswer } from './mutants/answer-mutants.ts';
import { Refusal } from './refusal.ts';

/** A request as it came, its path parted from its query. */
export interface IncomingCall {
  route: Route;
  /** Of the `authorization` header; null: none. */
  key: string | null;
  /** The client's address. */
  address: string;
}

interface Gate {
  identityOf: (key: string) => Identity | null;
  /** The refusal of what comes too soon; null: let through. */
  throttle: (endpoint: Route['endpoint'], identity: string, address: string) => ApiAnswer | null;
  /** What a wrong key gets. */
  wrongKeyStatus: (route: Route) => number;
  mutants: MutantSwitch;
}

const nobody: Identity = { kind: 'account', name: 'nobody', permissions: new Set(), instanceId: null };

/**
 * Answers a call: key, permission and throttle first, then the endpoint. Specification sections 5 and 7. `request`
 * gives what the endpoint reads, once the key was found right.
 */
export async function answerCall(
  call: IncomingCall,
  gate: Gate,
  request: (identity: Identity) => Promise<ApiRequest | ApiAnswer>,
): Promise<{ answer: ApiAnswer; identity: Identity | null }> {
  const { route, key } = call;
  const { mutants } = gate;
  const found = key === null ? null : gate.identityOf(key);
  const identity = found ?? (lets(key, mutants) ? nobody : null);
  if (identity === null) return { answer: mutate(route, wrongKey(route, key, gate), mutants), identity };
  const refused = refuse(call, identity, gate);
  if (refused !== null) return { answer: refused, identity };
  const read = await request(identity);
  if ('status' in read) return { answer: read, identity };
  try {
    return { answer: mutate(route, route.answer(read), mutants), identity };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { answer: mutate(route, { status: error.status, body: error.body }, mutants), identity };
  }
}

const lets = (key: string | null, mutants: MutantSwitch): boolean =>
  mutants.has(key === null ? 'key-not-needed' : 'key-not-checked');

function wrongKey(route: Route, key: string | null, { wrongKeyStatus, mutants }: Gate): ApiAnswer {
  const msg = mutants.has('wrong-key-message-other') ? 'Access denied' : 'Invalid user key';
  const status = key === null ? 403 : wrongKeyStatus(route);
  return {
    status: mutants.has('wrong-key-is-200') ? 200 : status,
    body: { success: false, error: 'auth_error', msg },
  };
}

function refuse({ route, address }: IncomingCall, identity: Identity, gate: Gate): ApiAnswer | null {
  const { mutants } = gate;
  const free =
    identity === nobody ||
    mutants.has(identity.kind === 'instance' ? 'instance-key-may-everything' : 'permissions-not-checked');
  const allowed =
    identity.kind === 'instance' ? route.instanceKeys === true : identity.permissions.has(route.permission);
  const isRefused = identity.kind === 'scoped' && mutants.has('scoped-keys-refused');
  if (isRefused || (!free && !allowed)) {
    const msg = `this key lacks the permission ${route.permission}`;
    return { status: 403, body: { success: false, error: 'auth_error', msg } };
  }
  const throttled = gate.throttle(route.endpoint, identity.name, address);
  if (throttled === null || !('body' in throttled)) return throttled;
  if (mutants.has('throttle-detail-missing')) return { status: 429, body: {} };
  return mutants.has('throttle-threshold-unnamed')
    ? { status: 429, body: { detail: 'please slow down' } }
    : throttled;
}

/** Good answers and refusals each have their mutants: those of section 7 are of refusals. */
function mutate(route: Route, answer: ApiAnswer, mutants: MutantSwitch): ApiAnswer {
  if (!mutants.any || !('body' in answer)) return answer;
  const refusal = answer.status !== 200;
  const on = answerMutants.filter(
    ({ id, section, endpoints }) =>
      mutants.has(id) && endpoints.includes(route.endpoint) && (section === '7') === refusal,
  );
  return {
    ...answer,
    body: on.reduce<unknown>((body, mutant) => mutateAnswer(body, mutant), answer.body) as object,
  };
}
