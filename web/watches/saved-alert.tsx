import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Rule } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { useAction } from '../core/use-action.ts';
import { Failure } from '../parts/failure.tsx';
import { AlertChannels } from './alert-channels.tsx';
import { rememberChannels } from './chosen-channels.ts';

interface Props {
  app: App;
  /** The rule to save, without its channels; null: not filled in. */
  rule: Record<string, unknown> | null;
  /** What it waits for, `H100 SXM below $2.00/GPU-hour`. */
  says: string;
  /** The watch that it would belong to; null: none, or a new one. */
  watch: { name: string; channelIds: readonly string[] } | null;
  close: () => void;
  /** The fields of the rule. */
  children: ComponentChildren;
}

const formId = 'alert-form';

/** The fields of an alert, its channels and the button that saves it. */
export function SavedAlert({ app, rule, says, watch, close, children }: Props) {
  const [channelIds, setChannelIds] = useState<string[] | null>(null);
  const action = useAction(app);
  async function save(): Promise<string> {
    const chosen = channelIds ?? [];
    const saved = await app.api.createRule({
      body: { ...rule, kind: rule?.kind as Rule['kind'], channelIds: chosen },
    });
    if (chosen.length > 0) rememberChannels(window, chosen);
    close();
    const isHeard = saved.channelIds.length > 0 || (watch?.channelIds.length ?? 0) > 0;
    return `Alert saved: ${says}.${isHeard ? '' : ' It notifies nobody yet: choose a channel under Watches.'}`;
  }
  return (
    <>
      <form
        id={formId}
        aria-label="Alert"
        onSubmit={(event) => {
          event.preventDefault();
          if (rule !== null) void action.run(save);
        }}
      >
        {children}
      </form>
      <AlertChannels app={app} chosen={channelIds} choose={setChannelIds} watch={watch} />
      <p class="row">
        <button
          type="submit"
          form={formId}
          class="primary"
          disabled={action.busy || rule === null || channelIds === null}
        >
          Save alert
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </p>
      <Failure problem={action.problem} />
    </>
  );
}
