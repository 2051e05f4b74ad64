import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { App } from './app.ts';
import { createLoader, type Loaded, type Loader } from './loader.ts';
import type { TypedPath } from './path-to.ts';

/** A response of the API, and a way to reload it. */
export interface Answer<T> extends Loaded<T> {
  reload(): void;
}

/**
 * Loads a path, and reloads when it or `version` changes; null loads nothing. Keeps the last good response meanwhile,
 * and retries while the server is unreachable, busy or failing.
 */
export function useAnswer<T>(app: App, path: TypedPath<T> | null, version: unknown = null): Answer<T> {
  const loader = useMemo(() => createLoader<T>(app.api, { persistent: true, first: path }), [app]);
  useLoading(app, loader, path, version);
  return { ...loader.state.value, reload: loader.reload };
}

/** Loads several paths in order, all or none; `path` and `dataPath` contain one path per line. */
export function useAnswers<T>(
  app: App,
  paths: readonly TypedPath<T>[],
  version: unknown = null,
): Answer<T[]> {
  const joined = paths.length === 0 ? null : (paths.join('\n') as TypedPath<T[]>);
  const loader = useMemo(() => {
    const each = (lines: string) => lines.split('\n') as TypedPath<T>[];
    const get = (lines: string, signal?: AbortSignal) =>
      Promise.all(each(lines).map((path) => app.api.get(path, signal)));
    const recall = (lines: string) => {
      const answers = each(lines).map((path) => app.api.recall(path));
      return answers.every((answer) => answer !== null) ? answers : null;
    };
    return createLoader<T[]>({ get, recall }, { persistent: true, first: joined });
  }, [app]);
  useLoading(app, loader, joined, version);
  return { ...loader.state.value, reload: loader.reload };
}

function useLoading<T>(app: App, loader: Loader<T>, path: TypedPath<T> | null, version: unknown): void {
  const login = app.loginNeeded.value;
  const asked = useRef<{ path: string | null; version: unknown; login: boolean } | null>(null);
  useEffect(() => () => loader.stop(), [loader]);
  useEffect(() => {
    const before = asked.current;
    asked.current = { path, version, login };
    // The first version only identifies what is already loading.
    if (before?.path === path && before.login === login && before.version === null) return;
    if (path !== null && !login) loader.load(path);
  }, [loader, path, version, login]);
}
