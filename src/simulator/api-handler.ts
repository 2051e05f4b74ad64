import type { IncomingMessage } from 'node:http';
import type { Log } from '../core/log.ts';
import { answerCall } from './api-answer.ts';
import type { ApiAnswer, Route } from './endpoints/endpoint.ts';
import { answerInstead, sendBroken } from './faults/broken-answers.ts';
import type { FaultPlan } from './faults/fault-plan.ts';
import { type RequestHandler, readBody, splitUrl } from './http-server.ts';
import type { Identity } from './keys.ts';
import { answerText, sendAnswer } from './send-answer.ts';

interface HandlerOptions {
  routes: readonly Route[];
  /** Answers paths under `/admin/`; null: another path. */
  admin: (call: {
    method: string;
    path: string;
    key: string | null;
    text: string | null;
  }) => ApiAnswer | null;
  identityOf: (key: string) => Identity | null;
  throttle: (endpoint: Route['endpoint'], identity: string, address: string) => ApiAnswer | null;
  wrongKeyStatus: (route: Route) => number;
  faults: FaultPlan;
  /** The virtual time. */
  now: () => Date;
  /** Called before answering every request that may have changed something. */
  changed: () => void;
  log?: Log | undefined;
}

const tooLarge: ApiAnswer = {
  status: 413,
  body: { success: false, error: 'invalid_request', msg: 'the body is too large' },
};

/** Finds the endpoint of a request, applies faults and answers. Source: docs/marketplace.md#4-endpoints. */
export function createApiHandler(options: HandlerOptions): RequestHandler {
  return async (request, response) => {
    const [path, query] = splitUrl(request.url ?? '/');
    const method = request.method ?? 'GET';
    const key = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
    const send = (answer: ApiAnswer) => () => sendAnswer(request, response, answer);
    if (path.startsWith('/admin/')) {
      const answer = options.admin({ method, path, key, text: await readBody(request) });
      if (answer !== null) {
        return { outcome: { status: answer.status, identity: 'admin', faults: [] }, send: send(answer) };
      }
    }
    const found = findRoute(options.routes, method, path);
    const endpoint = 'route' in found ? found.route.endpoint : null;
    const drawn = options.faults.draw({ method, path, endpoint });
    const struck = { faults: drawn.kinds, identity: null as string | null };
    if (drawn.instead !== null) {
      const { instead } = drawn;
      const answer = answerInstead(instead);
      if (answer !== null) return { outcome: { ...struck, status: answer.status }, send: send(answer) };
      return { outcome: { ...struck, status: null }, send: () => sendBroken(response, instead, null) };
    }
    let answer: ApiAnswer;
    try {
      answer = 'answer' in found ? found.answer : await answerRoute(found);
    } catch (error) {
      options.log?.error({ err: error, method, path }, 'the simulator failed to answer');
      answer = { status: 500, body: { success: false, error: 'internal_error', msg: 'internal error' } };
    }
    const { after } = drawn;
    if (after === null) return { outcome: { ...struck, status: answer.status }, send: send(answer) };
    const replaced = answerInstead(after);
    if (replaced !== null) return { outcome: { ...struck, status: replaced.status }, send: send(replaced) };
    const silent = after.kind === 'reset-after' || after.kind === 'lost-create';
    return {
      outcome: { ...struck, status: silent ? null : answer.status },
      send: () => sendBroken(response, after, answerText(answer)),
    };

    async function answerRoute({ route, id }: FoundRoute): Promise<ApiAnswer> {
      const call = { route, key, address: addressOf(request) };
      const { answer: given, identity } = await answerCall(call, options, async (who) => {
        const text = await readBody(request);
        if (text === null) return tooLarge;
        const at = options.now();
        const atS = Math.floor(at.getTime() / 1000);
        return { text, query: new URLSearchParams(query), id, at, atS, identity: who, faults: drawn.within };
      });
      struck.identity = identity?.name ?? null;
      if (method !== 'GET') options.changed();
      return given;
    }
  };
}

interface FoundRoute {
  route: Route;
  /** The value of `{id}`. */
  id: string;
}

function findRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): FoundRoute | { answer: ApiAnswer } {
  const here = routes.flatMap((route) => {
    const id = matchPath(route.path, path.replace(/\/$/, ''));
    return id === null ? [] : [{ route, id }];
  });
  const found = here.find(({ route }) => route.method === method);
  if (found !== undefined) return found;
  const [status, error] = here.length > 0 ? [405, 'method_not_allowed'] : [404, 'not_found'];
  return { answer: { status, body: { success: false, error, msg: `no ${method} ${path}` } } };
}

/** Returns the value of `{id}` if a path matches, '' without one; null: another path. */
function matchPath(pattern: string, path: string): string | null {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return null;
  let id = '';
  for (const [index, part] of wanted.entries()) {
    if (part === '{id}') id = given[index] ?? '';
    else if (part !== given[index]) return null;
  }
  return id;
}

const addressOf = (request: IncomingMessage): string => request.socket.remoteAddress ?? '';
