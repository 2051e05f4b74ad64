import { ApiError, type Client, createClientOf, type ProblemError } from '../../client/client.js';
import { type AnswerMemory, createAnswerMemory } from './answer-memory.ts';
import { basePath } from './base-path.ts';
import { noteKept } from './kept-answers.ts';
import * as pageOperations from './page-operations.ts';
import type { TypedPath } from './path-to.ts';
import { startCommand } from './program-command.ts';
import { noteServerTime } from './server-time.ts';

/** Why a request failed, for the reader. `status` is null if the server did not answer. */
export interface Problem {
  status: number | null;
  /** Stable name such as `name-taken`; null: none. */
  name: string | null;
  title: string;
  detail: string | null;
  /** What is wrong with which field; empty for other problems. */
  errors: readonly ProblemError[];
  /** Seconds to wait, as the server requested; null: not stated. */
  retryAfterSeconds: number | null;
}

/** The API of the page's own origin: a function for each of its operations, and `get` for the paths of loaders. */
export interface ApiClient extends Pick<Client, keyof typeof pageOperations> {
  /** Returns the JSON of `path`; rejects as the operations do, or with an AbortError when `signal` fires. */
  get<T>(path: TypedPath<T>, signal?: AbortSignal): Promise<T>;
  /** Returns the last answer to `path`; null: there is none, or the page has changed something since. */
  recall<T>(path: TypedPath<T>): T | null;
  /** Deletes the last answers, because the data have changed. */
  forget: AnswerMemory['forget'];
}

/** Thrown when the server did not answer. */
class UnreachableError extends Error {
  override name = 'UnreachableError';
}

/** Thrown by the page itself; its message is for the reader. */
export class PageError extends Error {
  override name = 'PageError';
}

const loginPath = '/api/session';

/** Returns a client for the API of the page's own origin. `onUnauthorized` is called for each 401 except of a login. */
export function createApiClient(fetch: typeof globalThis.fetch, onUnauthorized: () => void): ApiClient {
  const memory = createAnswerMemory();
  const { open, ...operations } = createClientOf(pageOperations, {
    baseUrl: basePath,
    credentials: 'same-origin',
    fetch: async (path, init) => {
      const isChange = init.method !== undefined && init.method !== 'GET';
      const response = await fetch(path, init).catch((cause: unknown) => {
        if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
        throw new UnreachableError(unreachable.title, { cause });
      });
      noteServerTime(response);
      const isLogin = path === basePath + loginPath && init.method === 'POST';
      if (isChange || response.status === 401) memory.forget();
      if (response.status === 401 && !isLogin) onUnauthorized();
      return response;
    },
  });
  return {
    ...operations,
    get: async (path, signal) => {
      const since = memory.now();
      const response = await open('GET', path, { signal });
      const answer = await response.json();
      noteKept(answer, response);
      memory.keep(path, answer, since);
      return answer;
    },
    recall: memory.recall,
    forget: memory.forget,
  };
}

/** Returns the problem for an error of any kind. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ApiError) return readProblem(error);
  if (error instanceof UnreachableError) return unreachable;
  if (error instanceof PageError) return { ...unreachable, title: error.message, detail: null };
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
  detail: `Check that it is running (${startCommand}). The page retries automatically.`,
  errors: [],
  retryAfterSeconds: null,
};

/** Returns a message for a status without a detail. */
const words: Record<number, string> = {
  403: 'Your role does not allow this',
  429: 'Too many requests; the page retries automatically',
  500: 'Internal error: see the log of Offerbook',
};

/** The detail names every error; without a detail the errors are listed. */
function readProblem({ status, problem, retryAfterSeconds }: ApiError): Problem {
  const errors = (problem?.errors ?? []).map(({ name, detail }) => `${name}: ${detail}.`).join(' ');
  const said = [problem?.detail, errors].find((text) => text !== undefined && text !== '');
  return {
    status,
    name: problem?.type?.split('#').at(-1) ?? null,
    title: problem?.title ?? words[status] ?? `The server answered ${status}`,
    detail: said ?? null,
    errors: problem?.errors ?? [],
    retryAfterSeconds,
  };
}
