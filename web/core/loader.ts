import { type ReadonlySignal, signal } from '@preact/signals';
import { type Problem, problemOf } from './api-client.ts';
import { keptAtOf } from './kept-answers.ts';
import type { TypedPath } from './path-to.ts';

/** The state of a request: the last good response stays while the next one loads. */
export interface Loaded<T> {
  /** null until the first response. */
  data: T | null;
  dataPath: TypedPath<T> | null;
  /** Path requested last. */
  path: TypedPath<T> | null;
  loading: boolean;
  /** null: the last request succeeded, or the first one is loading. */
  problem: Problem | null;
  /** Since when the data was kept, because there is no server; null: it is the server's. */
  keptAt: string | null;
}

export interface Loader<T> {
  state: ReadonlySignal<Loaded<T>>;
  /** Requests `path`, canceling a request for another path; if it is already loading, loads it once more afterwards. */
  load(path: TypedPath<T>): void;
  reload(): void;
  /** Cancels the current request and stops retrying. */
  stop(): void;
}

interface Options<T> {
  /** Time after which a server counts as not answering. @default 2 minutes, which the slowest answer does not take */
  timeoutMs?: number;
  /** The path that is loaded first, whose last answer is shown until then. @default none */
  first?: TypedPath<T> | null;
  /** Whether to retry automatically when the server is unreachable, busy or failing. @default false */
  persistent?: boolean;
}

/** Pauses before a retry, growing each time; a server's `Retry-After` takes precedence. */
const retrySeconds = [2, 5, 10, 20, 30];

/** Where a loader reads. */
export interface Source<T> {
  get(path: TypedPath<T>, signal?: AbortSignal): Promise<T>;
  /** Returns the last answer to a path; null: there is none. @default there is none */
  recall?(path: TypedPath<T>): T | null;
}

/** Creates a loader of one kind of response; only its newest request counts. */
export function createLoader<T>(
  api: Source<T>,
  { timeoutMs = 120_000, first = null, persistent = false }: Options<T> = {},
): Loader<T> {
  const remembered = (path: TypedPath<T>): Partial<Loaded<T>> => {
    const data = api.recall?.(path) ?? null;
    return data === null ? {} : { data, dataPath: path, keptAt: keptAtOf(data) };
  };
  const nothing = { data: null, dataPath: null, path: null, loading: false, problem: null, keptAt: null };
  const state = signal<Loaded<T>>(
    first === null ? nothing : { ...nothing, ...remembered(first), path: first, loading: true },
  );
  let running: AbortController | null = null;
  let again = false;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function run(path: TypedPath<T>): Promise<void> {
    const controller = new AbortController();
    running = controller;
    again = false;
    clearTimeout(timer);
    const before = state.value.data === null ? remembered(path) : {};
    state.value = { ...state.value, ...before, path, loading: true };
    try {
      const signals = [controller.signal, AbortSignal.timeout(timeoutMs)];
      const data = await api.get(path, AbortSignal.any(signals));
      if (running !== controller) return;
      const keptAt = keptAtOf(data);
      state.value = { data, dataPath: path, path, loading: false, problem: null, keptAt };
      if (keptAt === null) failures = 0;
      else if (persistent) retry(path, null);
    } catch (error) {
      if (running !== controller) return;
      const problem = problemOf(error);
      state.value = { ...state.value, loading: false, problem };
      if (persistent && passes(problem)) retry(path, problem.retryAfterSeconds);
    }
    running = null;
    if (again) await run(path);
  }

  function retry(path: TypedPath<T>, askedSeconds: number | null): void {
    const seconds = askedSeconds ?? retrySeconds[Math.min(failures, retrySeconds.length - 1)];
    failures += 1;
    timer = setTimeout(() => load(path), Math.min(seconds ?? 30, 120) * 1_000);
  }

  function load(path: TypedPath<T>): void {
    if (running !== null && state.value.path === path) {
      again = true;
      return;
    }
    running?.abort();
    void run(path);
  }

  return {
    state,
    load,
    reload() {
      if (state.value.path !== null) load(state.value.path);
    },
    stop() {
      clearTimeout(timer);
      running?.abort();
      running = null;
    },
  };
}

/** Whether a problem may be temporary. */
const passes = ({ status }: Problem) => status === null || status === 429 || status >= 500;
