/** Why a request failed, for the reader. `status` is null if the server did not answer. */
export interface Problem {
  status: number | null;
  /** Stable name such as `guard-refused`; null: none. */
  name: string | null;
  title: string;
  detail: string | null;
  /** The whole response, for details beyond the message. */
  body: Record<string, unknown>;
  /** Seconds to wait, as the server requested; null: not stated. */
  retryAfterSeconds: number | null;
}

/** Thrown by the client for every response except 2xx; `problem` can be displayed. */
class ApiError extends Error {
  override name = 'ApiError';
  readonly problem: Problem;

  constructor(problem: Problem, cause?: unknown) {
    super(problem.title, { cause });
    this.problem = problem;
  }
}

export interface ApiClient {
  /** Returns the JSON of `path`; rejects with ApiError, or an AbortError when `signal` fires. */
  get<T>(path: string, signal?: AbortSignal): Promise<T>;
  /** Sends a change and returns its response, null if empty (204); rejects like `get`. */
  send<T>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<T>;
  /** Exchanges a token for the session cookie; rejects with ApiError (401: unknown token). */
  logIn(token: string): Promise<void>;
}

/** Returns a client for the API of the page's own origin. `onUnauthorized` is called for each 401 except of a login. */
export function createApiClient(fetch: typeof globalThis.fetch, onUnauthorized: () => void): ApiClient {
  async function ask(path: string, init: RequestInit): Promise<Response> {
    const response = await fetch(path, { credentials: 'same-origin', ...init }).catch((cause: unknown) => {
      if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
      throw new ApiError(unreachable, cause);
    });
    if (!response.ok) throw new ApiError(await readProblem(response));
    return response;
  }

  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError && error.problem.status === 401) onUnauthorized();
      throw error;
    }
  }

  return {
    get: (path, signal) =>
      guarded(async () => {
        const init = { headers: { accept: 'application/json' }, signal: signal ?? null };
        return await (await ask(path, init)).json();
      }),
    send: (method, path, body, headers) =>
      guarded(async () => {
        const init: RequestInit = { method, headers: { accept: 'application/json', ...headers } };
        if (body !== undefined) {
          init.headers = { ...init.headers, 'content-type': 'application/json' };
          init.body = JSON.stringify(body);
        }
        const text = await (await ask(path, init)).text();
        return text === '' ? null : JSON.parse(text);
      }),
    async logIn(token) {
      const headers = { 'content-type': 'application/json' };
      await ask('/api/session', { method: 'POST', headers, body: JSON.stringify({ token }) });
    },
  };
}

/** Returns the problem for an error of any kind. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ApiError) return error.problem;
  return { ...unreachable, title: 'The response could not be read', detail: String(error) };
}

/** Returns a problem as one or two sentences. */
export function problemText({ title, detail }: Problem): string {
  return [title, detail].filter((part) => part !== null).join('. ');
}

const unreachable: Problem = {
  status: null,
  name: null,
  title: 'Offerbook is not responding',
  detail: 'Check that it is running (npm start). The page retries automatically.',
  body: {},
  retryAfterSeconds: null,
};

/** Returns a message for a status without a detail. */
const words: Record<number, string> = {
  403: 'Your role does not allow this',
  429: 'Too many requests; the page retries automatically',
  500: 'Internal error: see the log of Offerbook',
};

async function readProblem(response: Response): Promise<Problem> {
  const body = ((await response.json().catch(() => null)) ?? {}) as Record<string, unknown>;
  const errors = Array.isArray(body.errors) ? body.errors.map(describe) : [];
  // The detail names every error; without a detail the errors are listed.
  const said = typeof body.detail === 'string' && body.detail !== '' ? [body.detail] : errors;
  const detail = said.filter((part) => typeof part === 'string' && part !== '').join(' ');
  const { status } = response;
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
  return {
    status,
    name: typeof body.type === 'string' ? (body.type.split('/').at(-1) ?? null) : null,
    title: typeof body.title === 'string' ? body.title : (words[status] ?? `The server answered ${status}`),
    detail: detail === '' ? null : detail,
    body,
    retryAfterSeconds: Number.isFinite(wait) ? wait : null,
  };
}

function describe(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const { name, detail, message } = error as { name?: unknown; detail?: unknown; message?: unknown };
  const said = detail ?? message;
  return typeof name === 'string' && name !== '' && typeof said === 'string' ? `${name}: ${said}.` : said;
}
