import type { Action } from '../core/use-action.ts';

interface ActButtonProps {
  action: Action;
  label: string;
  /** The action; the sentence that it returns is announced. */
  run: () => Promise<string | undefined>;
}

/** A small button in a table that runs one action at once. */
export const ActButton = ({ action, label, run }: ActButtonProps) => (
  <button type="button" class="small" disabled={action.busy} onClick={() => void action.run(run)}>
    {label}
  </button>
);
