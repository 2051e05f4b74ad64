import type { Status } from '../core/api.ts';
import { stepsOf } from '../service/first-steps.tsx';
import { useDismissed } from './dismissed.ts';

/** The three steps to a real market in one row, until they are done or dismissed. */
export function FirstRun({ status }: { status: Status | null }) {
  const [isDismissed, dismiss] = useDismissed('offerbook-first-steps');
  if (status?.mode !== 'simulated' || isDismissed) return null;
  const { books, live, actions } = stepsOf(status);
  const steps = [
    { label: 'Start in the simulator', isDone: books },
    { label: 'Connect your market', isDone: live },
    { label: 'Decide whether it may rent', isDone: live && actions },
  ];
  return (
    <section aria-label="First steps" id="first-run" class="card">
      <h2>
        <a href="/start">First steps</a>
      </h2>
      <ol class="steps brief">
        {steps.map(({ label, isDone }) => (
          <li key={label} class={isDone ? 'done' : undefined}>
            <span>
              {label}
              {isDone && <span class="hidden"> (done)</span>}
            </span>
          </li>
        ))}
      </ol>
      <button type="button" class="small quiet" onClick={dismiss}>
        Hide the first steps
      </button>
    </section>
  );
}
