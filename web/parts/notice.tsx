import type { ComponentChildren } from 'preact';
import type { Problem } from '../core/api-client.ts';
import type { Answer } from '../core/use-answer.ts';

/** A quiet box in place of empty or loading content. */
export function Notice({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="notice" role="status">
      <strong>{title}</strong>
      {children !== undefined && <p>{children}</p>}
    </div>
  );
}

/** A failed request: what happened, what to do, and a retry button. */
export function ProblemNotice({ problem, retry }: { problem: Problem; retry?: () => void }) {
  return (
    <div class="notice problem" role="alert">
      <strong>{problem.title}</strong>
      {problem.detail !== null && <p>{problem.detail}</p>}
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** A placeholder while loading. The content after it is shown only afterwards, so that nothing moves. */
export function LoadingNotice({ what }: { what: string }) {
  return (
    <div class="notice loading" role="status">
      <strong>Loading {what}…</strong>
      <p class="late">This is taking longer than usual…</p>
    </div>
  );
}

interface AwaitedProps<T> {
  answer: Answer<T>;
  /** Label for "Loading…". */
  what: string;
  children: (data: T) => ComponentChildren;
}

/**
 * Shows a response or its placeholder: loading, a problem, or the last good response with the problem above it.
 * `data-path` has the path shown; content waiting for a newer response is `stale`.
 */
export function Awaited<T>({ answer, what, children }: AwaitedProps<T>) {
  const { data, problem, path, dataPath, loading, reload } = answer;
  if (data === null) {
    if (problem !== null) return <ProblemNotice problem={problem} retry={reload} />;
    return <LoadingNotice what={what} />;
  }
  return (
    <div class={path === dataPath ? 'content' : 'content stale'} data-path={dataPath} aria-busy={loading}>
      {problem !== null && (
        <div class="strip" role="alert">
          <span>
            <strong>{problem.title}.</strong> {problem.detail} Showing the last data received.
          </span>
          <button type="button" onClick={reload}>
            Try again
          </button>
        </div>
      )}
      {children(data)}
    </div>
  );
}
