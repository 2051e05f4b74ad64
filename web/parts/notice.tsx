import type { ComponentChildren } from 'preact';
import type { Problem } from '../core/api-client.ts';
import type { Answer } from '../core/use-answer.ts';

/** A quiet box in place of content that is empty or on its way. */
export function Notice({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="notice" role="status">
      <strong>{title}</strong>
      {children !== undefined && <p>{children}</p>}
    </div>
  );
}

/** A request that failed: what happened, what to do, and a way to try again. */
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

/** Stands for what is on its way. What follows it in the page is seen after it, so that nothing moves. */
export function LoadingNotice({ what }: { what: string }) {
  return (
    <div class="notice loading" role="status">
      <strong>Loading {what} …</strong>
      <p class="late">This is taking longer than usual …</p>
    </div>
  );
}

interface AwaitedProps<T> {
  answer: Answer<T>;
  /** What is loaded, for "Loading …". */
  what: string;
  children: (data: T) => ComponentChildren;
}

/**
 * An answer, or what stands for it: loading, a problem, or the last good answer with the problem above it. The
 * path that is shown stands in `data-path`; content that waits for a newer answer is `stale`.
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
