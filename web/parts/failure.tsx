import { type Problem, problemText } from '../core/api-client.ts';

/** The error of the reader's action, if any. */
export function Failure({ problem }: { problem: Problem | null }) {
  return (
    <p class="failure" role="alert">
      {problem === null ? null : problemText(problem)}
    </p>
  );
}
