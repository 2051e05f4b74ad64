import { type Live, liveWords } from '../core/use-live.ts';

/** Whether a view is updated live. */
export const LiveState = ({ state }: Pick<Live, 'state'>) => (
  <p class="soft" data-stream={state}>
    {liveWords[state]}
  </p>
);
