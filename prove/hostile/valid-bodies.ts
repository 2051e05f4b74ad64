import type { Operation } from './api-operations.ts';
import { pick, type Random } from './pick.ts';
import { type Surroundings, validObject } from './valid-values.ts';

/** Address of the proof's channels, at which nothing listens. */
const nowhere = 'http://127.0.0.1:9/';

const channelBodies: readonly object[] = [
  { kind: 'email', config: { to: 'ops@example.com' } },
  { kind: 'webhook', config: { url: `${nowhere}hook` } },
  { kind: 'ntfy', config: { url: nowhere, topic: 'offers' } },
  { kind: 'slack', config: { url: `${nowhere}services/T0/B0/x` } },
  { kind: 'discord', config: { url: `${nowhere}api/webhooks/1/x` } },
  { kind: 'telegram', config: { chatId: 42, url: nowhere }, secret: '123456:abcdefghijkl' },
  { kind: 'file', config: { path: 'fuzz', format: 'md' } },
];

const priceParams: Readonly<Record<string, object>> = {
  priceBelow: { usd: 2.5 },
  percentileBelow: { percentile: 20, days: 7 },
  lowestInDays: { days: 3 },
  changePercent: { percent: 10, since: 24, direction: 'any' },
  backInStock: {},
  supplyBelow: { offers: 3 },
  bidSpread: { percent: 40 },
};
const eventParams: Readonly<Record<string, object>> = {
  burnAbove: { usdPerHour: 3 },
  dataAge: { minutes: 200 },
  crawlPartial: {},
  instanceState: { states: ['failed'] },
  idleGpu: {},
  cheaperEqual: { percent: 5 },
  instanceLimit: {},
  delivery: {},
};

type Body = Record<string, unknown>;

const unique = (random: Random): string => `fuzz ${Math.floor(random() * 1e12)}`;

function ruleBody(around: Surroundings, fields: Body): Body {
  const { known, random } = around;
  const watchId = known.one('/api/watches', random);
  const kinds = watchId === null ? eventParams : random() < 0.7 ? priceParams : eventParams;
  const [kind, params] = pick(Object.entries(kinds), random);
  const { watchId: _, market: __, ruleId: ___, from, to, ...memory } = fields;
  const range = typeof from === 'string' && typeof to === 'string' && from < to ? { from, to } : {};
  return { ...memory, ...range, kind, params, ...(kinds === priceParams ? { watchId } : {}) };
}

/** Bodies whose fields depend on each other, by operation; the argument holds fields that fit their own schemas. */
const dependent: Readonly<Record<string, (around: Surroundings, fields: Body) => Body>> = {
  'POST /api/channels': ({ random }) => ({ ...pick(channelBodies, random), name: unique(random) }),
  'PATCH /api/channels/{id}': ({ random }) => ({ name: unique(random) }),
  'POST /api/watches': (around, fields) => ({ ...watchBody(around, fields), name: unique(around.random) }),
  'PATCH /api/watches/{id}': watchBody,
  'POST /api/templates': withoutLogin,
  'PATCH /api/templates/{hashId}': withoutLogin,
  'POST /api/tokens': ({ random }, fields) => ({ ...fields, name: unique(random) }),
  'POST /api/budgets': ({ random }, fields) => ({ ...fields, label: unique(random) }),
  'POST /api/rules': (around, fields) => {
    const { from: _, to: __, ...body } = ruleBody(around, fields);
    return body;
  },
  'POST /api/rules/backtest': (around, fields) => {
    const { known, random } = around;
    const ruleId = known.one('/api/rules', random);
    return random() < 0.3 && ruleId !== null ? { ruleId } : ruleBody(around, fields);
  },
  'POST /api/orders': orderBody,
  'POST /api/orders/dry-run': orderBody,
  'PATCH /api/orders/{id}': ({ random }) => ({ name: unique(random), count: 2 }),
  'PATCH /api/rules/{id}': (_, { params: __, ...fields }) => fields,
  'POST /api/blocklist': (_, { hostId, machineId, ...fields }) => ({
    ...fields,
    ...(hostId === undefined ? { machineId: machineId ?? 1 } : { hostId }),
  }),
  'POST /api/sheets': ({ random }) => ({
    export: pick(['spend', 'focus', 'rentals', 'offers', 'rankings'], random),
    query: {},
    note: unique(random),
  }),
  'POST /api/actions': () => ({ enabled: true }),
  'POST /api/crawls': () => ({ type: 'on-demand' }),
  'POST /api/quotes': rentBody,
  'POST /api/instances': rentBody,
  'PATCH /api/instances/{id}': (_, { bidUsdPerHour: __, ...fields }) => fields,
  'POST /api/session': ({ known, random }) => ({
    token: known.one('token', random) ?? 'not-a-token-of-anybody',
  }),
};

function rentBody({ known, random }: Surroundings): Body {
  return {
    offerId: known.one('offerId', random) ?? 1,
    image: 'ubuntu:24.04',
    diskGb: pick([10, 12], random),
    ...(random() < 0.3 ? { label: unique(random) } : {}),
    ...(random() < 0.3 ? { maxHours: 4, endAction: 'destroy' } : {}),
    ...(random() < 0.3 ? { env: { A: '1' } } : {}),
    ...(random() < 0.2 ? { profile: { downGb: 5 } } : {}),
    ...(random() < 0.2 ? { onFailure: 'replace', replacements: 1 } : {}),
  };
}

/** An order that rents nothing: no offer is that cheap. */
function orderBody({ known, random }: Surroundings): Body {
  const limited = { budgetUsd: '5', request: { maxHours: 4, endAction: 'destroy' } };
  const { request = {}, ...fields } = random() < 0.3 ? limited : {};
  return {
    ...fields,
    name: unique(random),
    endsAt: new Date(Date.now() + 86_400_000).toISOString(),
    choices: [{ watchId: known.one('/api/watches', random), maxUsdPerGpuHour: 0.0001 }],
    request: { image: 'ubuntu:24.04', diskGb: 10, ...request },
  };
}

function watchBody({ known, random }: Surroundings, fields: Body): Body {
  return { ...fields, filters: { gpuName: [known.one('gpuName', random) ?? 'RTX 4090'] } };
}

/** A registry password requires fields that its schema does not mention. */
function withoutLogin(_: Surroundings, { dockerLoginPass: __, ...fields }: Body): Body {
  return fields;
}

/** Returns a body that the operation should accept. */
export function validBody(operation: Operation, around: Surroundings): Body {
  const fields = validObject(operation.body?.schema ?? {}, around);
  return dependent[`${operation.method} ${operation.path}`]?.(around, fields) ?? fields;
}

/** Query parameters that an operation needs although each is optional by itself. */
const needed: Readonly<Record<string, readonly string[]>> = {
  '/api/index': ['gpuName'],
  '/api/catalogs/prices': ['gpuName'],
};
const neededByKind: Readonly<Record<string, readonly string[]>> = {
  book: ['at'],
  bucket: ['at'],
  verdict: ['listingId'],
  listing: ['listingId'],
  index: ['gpuName'],
  change: ['gpuName'],
};

/** Names of the optional parameters that the query requires. */
export const neededQuery = ({ path }: Operation, query: ReadonlyMap<string, unknown>): readonly string[] =>
  path === '/api/explain' ? (neededByKind[String(query.get('of'))] ?? []) : (needed[path] ?? []);

/** Query parameters that depend on each other. */
export function fitQuery(operation: Operation, query: Map<string, unknown>, random: Random): void {
  const from = query.get('from');
  const to = query.get('to');
  if (typeof from === 'string' && typeof to === 'string' && from >= to) query.delete('to');
  // A cursor is that of one list with one set of parameters.
  if (random() < 0.9) query.delete('cursor');
  if (operation.path === '/api/explain') fitExplain(query);
  if (operation.path.startsWith('/api/exports/')) {
    for (const name of [...query.keys()]) if (random() < 0.5) query.delete(name);
  }
}

const ofSpend = [
  'groupBy',
  'stackBy',
  'key',
  'subkey',
  'basis',
  'category',
  'asOf',
  'from',
  'to',
  'timeZone',
];
const ofBooks = ['market', 'type', 'gpuName', 'rows', 'limit', 'numGpus', 'country'];

function fitExplain(query: Map<string, unknown>): void {
  const of = query.get('of');
  const takes =
    of === 'spend'
      ? ofSpend
      : of === 'ranking'
        ? [...ofBooks, 'by']
        : [...ofBooks, 'metric', 'at', 'listingId'];
  for (const name of [...query.keys()]) {
    if (name !== 'of' && name !== 'bucket' && !takes.includes(name)) query.delete(name);
  }
  if (of !== 'bucket') query.delete('bucket');
  else if (!query.has('bucket')) query.set('bucket', '1d');
}
