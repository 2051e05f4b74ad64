import { useEffect, useState } from 'preact/hooks';
import { type Problem, problemOf } from './api-client.ts';
import type { App } from './app.ts';
import type { TypedPath } from './path-to.ts';
import type { Answer } from './use-answer.ts';

/** A list of the API: the first page and those loaded after it. */
export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

export interface Pages<T> {
  items: readonly T[];
  /** null: this is the last page. */
  more: (() => void) | null;
  loading: boolean;
  problem: Problem | null;
}

/**
 * Returns the items of a list's first response and of later pages. A new first response starts again, and so does a
 * list whose book has changed (409).
 */
export function usePages<T>(app: App, answer: Answer<Page<T>>): Pages<T> {
  const first = answer.data;
  const [rest, setRest] = useState<{ of: Page<T> | null; pages: Page<T>[] }>({ of: null, pages: [] });
  const [loading, setLoading] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => setProblem(null), [first]);
  const pages = rest.of === first ? rest.pages : [];
  const cursor = first === null ? null : (pages.at(-1) ?? first).nextCursor;

  async function more(): Promise<void> {
    if (first === null || cursor === null || answer.dataPath === null) return;
    setLoading(true);
    setProblem(null);
    try {
      const [path = '', query] = answer.dataPath.split('?');
      const parameters = new URLSearchParams(query);
      parameters.set('cursor', cursor);
      const next = await app.api.get(`${path}?${parameters}` as TypedPath<Page<T>>);
      setRest({ of: first, pages: [...pages, next] });
    } catch (error) {
      const found = problemOf(error);
      if (found.status === 409) answer.reload();
      else setProblem(found);
    }
    setLoading(false);
  }

  return {
    items: [first, ...pages].flatMap((page) => page?.items ?? []),
    more: cursor === null ? null : () => void more(),
    loading,
    problem,
  };
}
