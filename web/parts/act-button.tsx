import type { Action } from '../core/use-action.ts';

interface ActButtonProps {
  action: Action;
  label: string;
  /** What is done; the sentence that it ends with is said, where there is one. */
  run: () => Promise<string | undefined>;
}

/** A small button of a table that does one thing at once. */
export const ActButton = ({ action, label, run }: ActButtonProps) => (
  <button type="button" class="small" disabled={action.busy} onClick={() => void action.run(run)}>
    {label}
  </button>
);
