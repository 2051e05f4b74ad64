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
  /** null: the last request succeeded or is on its way. */
  problem: Problem | null;
}

export interface Loader<T> {
  state: ReadonlySignal<Loaded<T>>;
  /** Asks for `path`, dropping a request for another; the same path under way is asked once more after it. */
  load(path: string): void;
  reload(): void;
}

/**
 * A loader of one kind of answer, of which only the newest wish counts. `timeoutMs`: how long a server may take
 * before it counts as one that does not answer. @default none
 */
export function createLoader<T>(api: ApiClient, { timeoutMs }: { timeoutMs?: number } = {}): Loader<T> {
  const state = signal<Loaded<T>>({ data: null, dataPath: null, path: null, loading: false, problem: null });
  let running: AbortController | null = null;
  let again = false;

  async function run(path: string): Promise<void> {
    const controller = new AbortController();
    running = controller;
    again = false;
    state.value = { ...state.value, path, loading: true };
    try {
      const signals = [
        controller.signal,
        ...(timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)]),
      ];
      const data = await api.get<T>(path, AbortSignal.any(signals));
      if (running !== controller) return;
      state.value = { data, dataPath: path, path, loading: false, problem: null };
    } catch (error) {
      if (running !== controller) return;
      state.value = { ...state.value, loading: false, problem: problemOf(error) };
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
  };
}
