import * as operations from './operations.js';

/** An error that the server answered with. */
export class ApiError extends Error {
  name = 'ApiError';

  constructor({ status, problem, retryAfterSeconds }, options) {
    super(problem?.detail ?? problem?.title ?? `The server answered with ${status}.`, options);
    this.status = status;
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
    /** Stable name such as `guard-refused`; null: none. */
    this.kind = problem?.type?.split(/[#/]/).at(-1) ?? null;
  }
}

/** Parameters that are sent as headers. */
const headerNames = { idempotencyKey: 'idempotency-key' };

/** Creates a client with a function for each operation of the API, named by its `operationId`. */
export const createClient = (options) => createClientOf(operations, options);

/** Creates a client with a function for each of these operations only, so that a bundler leaves out the others. */
export function createClientOf(operations, { baseUrl = '', token, fetch = globalThis.fetch, ...init } = {}) {
  const address = baseUrl.replace(/\/+$/, '');
  const authorization = token === undefined || token === null ? {} : { authorization: `Bearer ${token}` };

  /** Sends a request; throws an ApiError for every status but 2xx. */
  async function open(method, path, { body, query, headers, signal } = {}) {
    const response = await fetch(`${address}${path}${searchOf(query)}`, {
      ...init,
      method,
      headers: {
        accept: 'application/json, */*;q=0.1',
        ...authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined || signal === null ? {} : { signal }),
    });
    if (!response.ok) throw await errorOf(response);
    return response;
  }

  async function call(operation, { body, ...params } = {}, { headers, signal } = {}) {
    const [method, , kind] = operation.split(' ');
    const rest = { ...params };
    const sent = { ...headers };
    for (const [name, header] of Object.entries(headerNames)) {
      if (rest[name] !== undefined) sent[header] = rest[name];
      delete rest[name];
    }
    const response = await open(method, pathOf(operation, rest), { body, headers: sent, signal });
    if (kind === 'response') return response;
    const text = await response.text();
    if (text === '') return null;
    return /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text;
  }

  const named = Object.entries(operations).map(([name, operation]) => [
    name,
    (params, options) => call(operation, params, options),
  ]);
  return { ...Object.fromEntries(named), open };
}

/** Returns the path of an operation of `operations.js` with its query, for links and other ways to ask. */
export function pathOf(operation, params = {}) {
  const query = { ...params };
  const path = operation.split(' ')[1].replaceAll(/\{(\w+)\}/g, (_, name) => {
    const value = query[name];
    delete query[name];
    return encodeURIComponent(value);
  });
  return `${path}${searchOf(query)}`;
}

/** Undefined parameters are left out, those with several values are repeated. */
function searchOf(query = {}) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) {
      if (one !== undefined && one !== null) search.append(name, String(one));
    }
  }
  return search.size === 0 ? '' : `?${search}`;
}

async function errorOf(response) {
  const problem = await response.json().catch(() => null);
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError({
    status: response.status,
    problem: typeof problem === 'object' ? problem : null,
    retryAfterSeconds: Number.isFinite(wait) ? wait : null,
  });
}
