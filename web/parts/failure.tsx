import { type Problem, problemText } from '../core/api-client.ts';

/** What went wrong with something that the reader set off; nothing where nothing did. */
export function Failure({ problem }: { problem: Problem | null }) {
  return (
    <p class="failure" role="alert">
      {problem === null ? null : problemText(problem)}
    </p>
  );
}
