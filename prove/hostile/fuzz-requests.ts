import { createRandom } from '../seeded-random.ts';
import type { Operation } from './api-operations.ts';
import { type HostileRequest, makeRequest, placesOf } from './hostile-request.ts';
import { judgeAnswer, namesField } from './judge-answer.ts';
import { createKnownValues, listOf } from './known-values.ts';
import { pick, type Random } from './pick.ts';
import { exchangeRaw, type RawAnswer, type RawRequest } from './raw-exchange.ts';
import { validBody } from './valid-bodies.ts';
import { type Surroundings, validParameter } from './valid-values.ts';

/** A service to fuzz. */
export interface FuzzedService {
  url: string;
  tokens: { admin: string; operator: string; viewer: string };
  /** Range of time that has books. */
  range: { from: Date; to: Date };
}

export interface Fuzzing {
  service: FuzzedService;
  operations: readonly Operation[];
  seed: number;
  requests: number;
  /** An answer that takes longer counts as a hang. */
  maxMs: number;
  /** Whether to create resources for requests to refer to. @default true */
  stocks?: boolean | undefined;
  onProgress?: ((done: number) => void) | undefined;
}

export interface FuzzResult {
  failures: string[];
  counts: Record<string, number>;
  /** How often each operation was requested, and how often successfully. */
  byOperation: Map<string, { asked: number; succeeded: number }>;
}

const atOnce = 4;
const waitMs = 60_000;
/** Lists from which existing values are taken. */
const lessons = [
  ...[
    '/api/market',
    '/api/offers?limit=200',
    '/api/rankings?limit=100',
    '/api/volumes/offers',
    '/api/watches',
  ],
  ...['/api/templates', '/api/instances', '/api/rentals', '/api/channels', '/api/budgets', '/api/rules'],
  ...[
    '/api/crawls?limit=20',
    '/api/deliveries',
    '/api/balances',
    '/api/blocklist',
    '/api/volumes',
    '/api/sheets',
  ],
];
/** Creates the resources that other requests need to get past the first check. */
const made = [
  ...['/api/watches', '/api/channels', '/api/rules', '/api/budgets', '/api/balances', '/api/blocklist'],
  ...['/api/sheets', '/api/tokens', '/api/templates', '/api/instances'],
];

/** Sends generated requests over all operations and judges every answer. */
export async function fuzzRequests(fuzzing: Fuzzing): Promise<FuzzResult> {
  const { service, operations, seed, requests, maxMs, stocks = true, onProgress } = fuzzing;
  const { hostname, port } = new URL(service.url);
  const known = createKnownValues();
  const failures = new Map<string, { count: number; first: string }>();
  const byOperation = new Map(operations.map((each) => [nameOf(each), { asked: 0, succeeded: 0 }]));
  // Operations with more fields are chosen more often.
  const turns = operations.flatMap((each) => Array<Operation>(4 + Math.min(12, placesOf(each))).fill(each));
  const counts: Record<string, number> = {};
  const add = (name: string): void => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  let slowestMs = 0;

  const send = async (raw: RawRequest): Promise<RawAnswer | 'no end'> =>
    await exchangeRaw(hostname, Number(port), raw, waitMs);
  const asAdmin = (raw: RawRequest): RawRequest => signed(raw, service.tokens.admin);

  async function learn(): Promise<void> {
    for (const target of lessons) {
      const answer = await send(asAdmin({ method: 'GET', target, headers: [], body: null }));
      if (answer !== 'no end' && answer.status === 200)
        known.learn(target.split('?')[0] ?? '', parse(answer.body));
    }
  }

  /** Creates deleted things again, and switches on what was switched off. */
  async function restock(around: Surroundings): Promise<void> {
    const wanted = ['/api/actions', ...made.filter((path) => !known.has(stockOf(path)))];
    for (const path of wanted) {
      const operation = operations.find((each) => each.method === 'POST' && each.path === path);
      if (operation === undefined) continue;
      const headers: [string, string][] = [['content-type', 'application/json']];
      for (const parameter of operation.parameters) {
        if (parameter.in === 'header')
          headers.push([parameter.name, String(validParameter(operation, parameter, around))]);
      }
      const body = Buffer.from(JSON.stringify(validBody(operation, around)));
      const answer = await send(asAdmin({ method: 'POST', target: path, headers, body }));
      if (answer !== 'no end' && answer.status < 300) known.learn(path, parse(answer.body));
    }
  }

  function fail(what: string, request: HostileRequest, operation: Operation, detail: string): void {
    const group = `${nameOf(operation)}: ${what}`;
    const entry = failures.get(group) ?? { count: 0, first: `${describe(request)} ${detail}` };
    failures.set(group, { ...entry, count: entry.count + 1 });
  }

  async function one(index: number): Promise<void> {
    const random = createRandom(seed * 1_000_003 + index);
    const around: Surroundings = { known, random, ...service.range };
    const operation = pick(turns, random);
    const request = makeRequest(operation, around);
    const who = identify(request.raw, service, random);
    const answer = await send(who.raw);
    add(`requests ${who.role}`);
    const tally = byOperation.get(nameOf(operation));
    if (tally !== undefined) tally.asked += 1;
    if (answer === 'no end') return fail(`no answer within ${waitMs / 1_000} s`, request, operation, '');
    slowestMs = Math.max(slowestMs, answer.ms);
    if (answer.ms > maxMs) fail(`took over ${maxMs} ms`, request, operation, `${Math.round(answer.ms)} ms`);
    add(`answers ${answer.status === 0 ? 'without a status' : `${String(answer.status)[0]}xx`}`);
    if (request.wrong === null && who.role === 'as admin') {
      add('valid requests as admin');
      if (answer.status < 400) add('of them answered 2xx or 3xx');
    }
    const problem = judgeAnswer(request, answer);
    if (problem !== null) fail(problem, request, operation, answer.body.slice(0, 300));
    if (answer.status === 400 && request.wrong !== null && 'field' in request.wrong) {
      add('400 for one wrong field');
      if (namesField(request, answer)) add('of them naming it');
    }
    if (answer.status > 0 && answer.status < 300) {
      if (tally !== undefined) tally.succeeded += 1;
      if (request.raw.method === 'DELETE')
        known.forget(
          stockOf(listOf(operation.path)),
          decodeURIComponent(request.raw.target.split('/').at(-1) ?? ''),
        );
      else known.learn(operation.path, parse(answer.body));
    }
  }

  await protectOwnTokens();
  await learn();
  for (let from = 0; from < requests; from += block) {
    if (stocks) await restock({ known, random: createRandom(seed + from), ...service.range });
    if (from % (10 * block) === 0 && from > 0) await learn();
    let next = from;
    const until = Math.min(requests, from + block);
    const work = async (): Promise<void> => {
      while (next < until) {
        next += 1;
        await one(next);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    onProgress?.(until);
  }

  async function protectOwnTokens(): Promise<void> {
    const answer = await send(asAdmin({ method: 'GET', target: '/api/tokens', headers: [], body: null }));
    const { items = [] } = (answer === 'no end' ? {} : (parse(answer.body) ?? {})) as {
      items?: { id: string }[];
    };
    for (const { id } of items) known.protect(id);
  }

  const untouched = [...byOperation].filter(([, { asked }]) => asked === 0).length;
  return {
    failures: [...failures].map(([group, { count, first }]) => `${group} (${count} times), first: ${first}`),
    counts: {
      requests,
      ...counts,
      'operations never asked': untouched,
      'operations that succeeded at least once': [...byOperation.values()].filter(
        ({ succeeded }) => succeeded > 0,
      ).length,
      'slowest answer, ms': Math.round(slowestMs),
    },
    byOperation,
  };
}

const block = 50;
const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

/** Returns the name under which the ids of a list are kept. */
const stockOf = (path: string): string =>
  ({ '/api/templates': 'hashId', '/api/instances': 'instanceId', '/api/sheets': 'sheet' })[path] ?? path;

const signed = (raw: RawRequest, token: string): RawRequest => ({
  ...raw,
  headers: raw.headers.some(([name]) => name === 'authorization')
    ? raw.headers
    : [...raw.headers, ['authorization', `Bearer ${token}`]],
});

/** Most requests use an administrator's token, which gets furthest. */
function identify(
  raw: RawRequest,
  { tokens }: FuzzedService,
  random: Random,
): { role: string; raw: RawRequest } {
  const draw = random();
  if (draw < 0.76) return { role: 'as admin', raw: signed(raw, tokens.admin) };
  if (draw < 0.84) return { role: 'as operator', raw: signed(raw, tokens.operator) };
  if (draw < 0.93) return { role: 'as viewer', raw: signed(raw, tokens.viewer) };
  // Guesses come from a separate address, because they may be slowed down.
  const from = process.platform === 'linux' ? { from: '127.0.0.9' } : {};
  if (draw < 0.94)
    return { role: 'with a wrong token', raw: { ...signed(raw, 'not-a-token-of-anybody'), ...from } };
  return { role: 'without a token', raw };
}

function describe({ raw, wrong }: HostileRequest): string {
  const what = wrong === null ? 'valid' : 'field' in wrong ? `wrong ${wrong.field}` : wrong.whole;
  const body = raw.body === null ? '' : ` ${raw.body.toString().slice(0, 400)}`;
  return `[${what}] ${raw.method} ${raw.target.slice(0, 300)}${body}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
