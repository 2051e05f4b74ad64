import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { App } from './app.ts';
import { createLoader, type Loaded, type Loader } from './loader.ts';

/** An answer of the API, and the way to ask for it again. */
export interface Answer<T> extends Loaded<T> {
  reload(): void;
}

/**
 * The answer of a path, asked again when it changes and whenever `version` does, once there is one; null asks nothing.
 * The last good answer stays meanwhile, and a server that is away, busy or broken is asked again until it answers.
 */
export function useAnswer<T>(app: App, path: string | null, version: unknown = null): Answer<T> {
  const loader = useMemo(() => createLoader<T>(app.api, { persistent: true }), [app]);
  useLoading(app, loader, path, version);
  return { ...loader.state.value, reload: loader.reload };
}

/** The answers of several paths, in their order, all or none; `path` and `dataPath` are theirs, a line each. */
export function useAnswers<T>(app: App, paths: readonly string[], version: unknown = null): Answer<T[]> {
  const loader = useMemo(() => {
    const getAll = (lines: string, signal?: AbortSignal) =>
      Promise.all(lines.split('\n').map((path) => app.api.get(path, signal)));
    return createLoader<T[]>({ get: getAll as typeof app.api.get }, { persistent: true });
  }, [app]);
  useLoading(app, loader, paths.length === 0 ? null : paths.join('\n'), version);
  return { ...loader.state.value, reload: loader.reload };
}

function useLoading<T>(app: App, loader: Loader<T>, path: string | null, version: unknown): void {
  const login = app.loginNeeded.value;
  const asked = useRef<{ path: string | null; version: unknown; login: boolean } | null>(null);
  useEffect(() => () => loader.stop(), [loader]);
  useEffect(() => {
    const before = asked.current;
    asked.current = { path, version, login };
    // The first version only says what the answer under way is of.
    if (before?.path === path && before.login === login && before.version === null) return;
    if (path !== null && !login) loader.load(path);
  }, [loader, path, version, login]);
}
