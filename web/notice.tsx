import type { ComponentChildren } from 'preact';
import type { Problem } from './api-client.ts';

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
export function ProblemNotice({ problem, retry }: { problem: Problem; retry: () => void }) {
  return (
    <div class="notice problem" role="alert">
      <strong>{problem.title}</strong>
      {problem.detail !== null && <p>{problem.detail}</p>}
      <button type="button" onClick={retry}>
        Try again
      </button>
    </div>
  );
}
