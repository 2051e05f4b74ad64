import { type ReadonlySignal, signal } from '@preact/signals';
import { type ApiClient, type Problem, problemOf } from './api-client.ts';

/** What a part of the page has: the last good answer stays while the next one is on its way. */
export interface Loaded<T> {
  /** null until the first answer. */
  data: T | null;
  /** Path that `data` answers. */
  dataPath: string | null;
  /** Path asked last. */
  path: string | null;
  loading: boolean;
  /** null: the last request succeeded or is on its way for the first time. */
  problem: Problem | null;
}

export interface Loader<T> {
  state: ReadonlySignal<Loaded<T>>;
  /** Asks for `path`, dropping a request for another; the same path under way is asked once more after it. */
  load(path: string): void;
  reload(): void;
  /** Drops what is under way and asks no more by itself. */
  stop(): void;
}

interface Options {
  /** How long a server may take before it counts as one that does not answer. @default none */
  timeoutMs?: number;
  /** Whether it asks again by itself when the server is away, busy or broken. @default false */
  persistent?: boolean;
}

/** Waits before asking again, longer each time; a server that says how long to wait is obeyed. */
const retrySeconds = [2, 5, 10, 20, 30];

/** A loader of one kind of answer, of which only the newest request counts. */
export function createLoader<T>(
  api: Pick<ApiClient, 'get'>,
  { timeoutMs, persistent = false }: Options = {},
): Loader<T> {
  const state = signal<Loaded<T>>({ data: null, dataPath: null, path: null, loading: false, problem: null });
  let running: AbortController | null = null;
  let again = false;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function run(path: string): Promise<void> {
    const controller = new AbortController();
    running = controller;
    again = false;
    clearTimeout(timer);
    state.value = { ...state.value, path, loading: true };
    try {
      const signals = [
        controller.signal,
        ...(timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)]),
      ];
      const data = await api.get<T>(path, AbortSignal.any(signals));
      if (running !== controller) return;
      failures = 0;
      state.value = { data, dataPath: path, path, loading: false, problem: null };
    } catch (error) {
      if (running !== controller) return;
      const problem = problemOf(error);
      state.value = { ...state.value, loading: false, problem };
      if (persistent && passes(problem)) {
        const seconds =
          problem.retryAfterSeconds ?? retrySeconds[Math.min(failures, retrySeconds.length - 1)];
        failures += 1;
        timer = setTimeout(() => load(path), Math.min(seconds ?? 30, 120) * 1_000);
      }
    }
    running = null;
    if (again) await run(path);
  }

  function load(path: string): void {
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

/** Whether a problem may be over by itself in a while. */
const passes = ({ status }: Problem) => status === null || status === 429 || status >= 500;
