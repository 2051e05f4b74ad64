import { type Problem, problemText } from '../core/api-client.ts';

/** The error of an action that the reader started; empty without one. */
export function Failure({ problem }: { problem: Problem | null }) {
  return (
    <p class="failure" role="alert">
      {problem === null ? null : problemText(problem)}
    </p>
  );
}
