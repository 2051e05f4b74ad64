import type { Status } from '../core/api.ts';
import { FirstSteps } from '../service/first-steps.tsx';
import { useDismissed } from './dismissed.ts';

/** The three steps to a real market, until they are done or dismissed. */
export function FirstRun({ status }: { status: Status | null }) {
  const [isDismissed, dismiss] = useDismissed('offerbook-first-steps');
  if (status?.mode !== 'simulated' || isDismissed) return null;
  return (
    <section aria-label="First steps" id="first-run">
      <div class="heading">
        <h2>
          First steps<small>from the simulator to your market</small>
        </h2>
        <button type="button" class="small" onClick={dismiss}>
          Hide the first steps
        </button>
      </div>
      <FirstSteps status={status} />
    </section>
  );
}
