/** Why a request gave nothing: what to tell the reader. `status` is null when the server did not answer. */
export interface Problem {
  status: number | null;
  title: string;
  detail: string | null;
}

/** Thrown by the client for everything but a 2xx answer; `problem` is fit for display. */
class ApiError extends Error {
  override name = 'ApiError';
  readonly problem: Problem;

  constructor(problem: Problem, cause?: unknown) {
    super(problem.title, { cause });
    this.problem = problem;
  }
}

export interface ApiClient {
  /** JSON of `path`; rejects with ApiError, or an AbortError when `signal` fires. */
  get<T>(path: string, signal?: AbortSignal): Promise<T>;
  /** Exchanges a token for the session cookie; rejects with ApiError (401: not a known token). */
  logIn(token: string): Promise<void>;
}

/** A client of the API of the page's own origin. `onUnauthorised` is called for each 401 but the login's own. */
export function createApiClient(fetch: typeof globalThis.fetch, onUnauthorised: () => void): ApiClient {
  async function send(path: string, init: RequestInit): Promise<Response> {
    const response = await fetch(path, { credentials: 'same-origin', ...init }).catch((cause: unknown) => {
      if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
      throw new ApiError(unreachable, cause);
    });
    if (!response.ok) throw new ApiError(await readProblem(response));
    return response;
  }

  return {
    async get(path, signal) {
      try {
        const init = { headers: { accept: 'application/json' }, signal: signal ?? null };
        return await (await send(path, init)).json();
      } catch (error) {
        if (error instanceof ApiError && error.problem.status === 401) onUnauthorised();
        throw error;
      }
    },
    async logIn(token) {
      const headers = { 'content-type': 'application/json' };
      await send('/api/session', { method: 'POST', headers, body: JSON.stringify({ token }) });
    },
  };
}

/** The problem that an error of any kind stands for. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ApiError) return error.problem;
  return { status: null, title: 'The answer could not be read', detail: String(error) };
}

const unreachable: Problem = {
  status: null,
  title: 'Offerbook does not answer',
  detail: 'Check that it is still running (npm start). The page keeps trying by itself.',
};

async function readProblem(response: Response): Promise<Problem> {
  const body = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  const errors = Array.isArray(body?.errors) ? body.errors.map(describe) : [];
  const detail = [body?.detail, ...errors]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(' ');
  return {
    status: response.status,
    title: typeof body?.title === 'string' ? body.title : `The server answered ${response.status}`,
    detail: detail === '' ? null : detail,
  };
}

function describe(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const { detail, message } = error as { detail?: unknown; message?: unknown };
  return detail ?? message;
}
