import type { ViewProps } from '../parts/view.ts';
import { ViewHead } from '../parts/view-head.tsx';
import { FirstSteps } from './first-steps.tsx';

/** Three steps from the simulator to a real market. */
export function StartView({ status }: ViewProps) {
  return (
    <>
      <ViewHead title="First steps" note="From the simulator to your market" />
      <FirstSteps status={status} />
    </>
  );
}
