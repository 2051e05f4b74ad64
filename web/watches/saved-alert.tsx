import type { ComponentChildren } from 'preact';
import { useContext, useRef, useState } from 'preact/hooks';
import { listChannels } from '../../client/operations.js';
import type { Channel, Rule } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { pathTo } from '../core/path-to.ts';
import { sentenceCase } from '../core/sentence-case.ts';
import { useAction } from '../core/use-action.ts';
import { useAnswer } from '../core/use-answer.ts';
import { useKeptHeight } from '../core/use-kept-height.ts';
import { Failure } from '../parts/failure.tsx';
import { AlertsContext } from '../parts/known-alerts.tsx';
import { AlertChannels } from './alert-channels.tsx';
import { notifiedWords, readTests, rememberChannels } from './chosen-channels.ts';
import type { FilledChannel } from './new-channel.tsx';

interface Props {
  app: App;
  /** The rule to save, without its channels; of a changed one what may change. null: not filled in. */
  rule: Record<string, unknown> | null;
  /** The rule that is changed; null: a new one. */
  changed: Rule | null;
  /** What it waits for, `H100 SXM below $2.00/GPU-hour`. */
  says: string;
  /** Called with a new rule, also with one that notifies nobody yet. */
  saved: (rule: Rule) => void;
  /** The watch that it would belong to; null: none, or a new one. */
  watch: { name: string; channelIds: readonly string[] } | null;
  close: () => void;
  /** The fields of the rule. */
  children: ComponentChildren;
}

const formId = 'alert-form';

/**
 * The fields of an alert, its channels and the button that saves it. An alert without a channel keeps the box open, with
 * a warning.
 */
export function SavedAlert({ app, rule, changed, says, saved: onSaved, watch, close, children }: Props) {
  const known = useContext(AlertsContext);
  const [channelIds, setChannelIds] = useState<string[] | null>(
    changed === null ? null : [...changed.channelIds],
  );
  /** What is saved while the box stays open. */
  const [kept, setKept] = useState<Rule | null>(null);
  // A signing key is shown only once, so the box stays open.
  const [hasKey, setHasKey] = useState(false);
  const action = useAction(app);
  const buttons = useRef<HTMLParagraphElement>(null);
  useKeptHeight(buttons, kept === null);
  const channels = useAnswer(app, pathTo(listChannels, { limit: 1000 }), channelIds?.length);
  const chosen = channelIds ?? [];
  /** Channels that were added here, the newest last. */
  const added = useRef<{ channel: Channel; hasKey: boolean }[]>([]);
  const filled = useRef<FilledChannel['current']>(null);
  /** Whether a watch was made with it; false if the watches before are not known. */
  const madeWatch = useRef(false);
  const channelsOf = (ids: readonly string[]) => {
    const known = [...(channels.data?.items ?? []), ...added.current.map(({ channel }) => channel)];
    const unique = new Map(known.toReversed().map((channel) => [channel.id, channel]));
    return [...unique.values()].filter(({ id }) => ids.includes(id));
  };
  const watchWords = () => (madeWatch.current ? 'It also made a watch of these offers, under Watches.' : '');
  const nameAll = (ids: readonly string[]) => notifiedWords(channelsOf(ids), readTests(window));
  /** Why others are off stands below, at their names. */
  const nameWorking = () =>
    notifiedWords(
      channelsOf(chosen).filter(({ offReason }) => offReason === null),
      readTests(window),
    );
  const offWords = channelsOf(chosen)
    .filter(({ offReason }) => offReason !== null)
    .map(({ name }) => `${name} is off`);
  /** Adds a channel that is filled in first; null: it was refused. */
  async function withFilled(): Promise<{ ids: string[]; hasKey: boolean } | null> {
    if (filled.current === null) return { ids: chosen, hasKey: false };
    const channel = await filled.current();
    return channel && { ids: [...chosen, channel.id], hasKey: added.current.at(-1)?.hasKey === true };
  }
  async function save(): Promise<string | undefined> {
    const notified = await withFilled();
    if (notified === null) return undefined;
    const { ids: channelIds } = notified;
    const saved =
      changed === null
        ? await app.api.createRule({
            body: { ...rule, kind: rule?.kind as Rule['kind'], channelIds },
          })
        : await app.api.updateRule({ id: changed.id, body: { ...rule, channelIds } });
    const { watchId } = saved;
    madeWatch.current =
      changed === null && watchId !== null && known?.watches.every(({ id }) => id !== watchId) === true;
    return finish(saved, notified.hasKey);
  }
  async function addChannels({ id }: Rule, ids: string[], staysOpen = false): Promise<string | undefined> {
    const saved = await app.api.updateRule({ id, body: { channelIds: ids } });
    return finish(saved, staysOpen);
  }
  function finish(saved: Rule, staysOpen = false): string | undefined {
    known?.reload();
    onSaved(saved);
    const notified = saved.channelIds.length > 0 ? saved.channelIds : (watch?.channelIds ?? []);
    if (saved.channelIds.length > 0) rememberChannels(window, saved.channelIds);
    if (staysOpen || notified.length === 0) {
      setKept(saved);
      setHasKey(staysOpen);
      return undefined;
    }
    close();
    return [`Alert saved: ${says}.`, nameAll(notified), watchWords()].filter(Boolean).join(' ');
  }
  const unheardButtons = kept !== null && (
    <>
      <button
        type="button"
        class="primary"
        disabled={action.busy || chosen.length === 0}
        onClick={() => void action.run(() => addChannels(kept, chosen))}
      >
        Notify this channel
      </button>
      <button type="button" disabled={action.busy} onClick={close}>
        Leave it without a channel
      </button>
    </>
  );
  // Where a channel can be chosen, what a choice adds stands below them.
  const isAbove = kept !== null && !hasKey && (channels.data?.items.length ?? 0) > 0;
  return (
    <>
      {kept === null ? (
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
      ) : hasKey ? (
        <p class="banner" role="status" data-saved="heard">
          <strong>
            {offWords.length < chosen.length
              ? 'Saved.'
              : `Saved, but it notifies nobody yet: ${offWords.join(', ')}.`}
          </strong>{' '}
          {sentenceCase(says)}. {nameWorking()} {watchWords()} Copy the signing key of{' '}
          {added.current.at(-1)?.channel.name} below, then close.
        </p>
      ) : (
        <p class="banner" role="alert" data-saved="unheard">
          <strong>Saved, but it notifies nobody.</strong> {sentenceCase(says)}: it only appears under{' '}
          <a href="/today" onClick={close}>
            Today
          </a>{' '}
          and{' '}
          <a href="/watches" onClick={close}>
            Watches
          </a>
          . {watchWords()} Choose or add a channel here: it is told when the alert fires, and at once if it
          has fired already and its condition still holds.
        </p>
      )}
      <AlertChannels
        app={app}
        chosen={channelIds}
        choose={setChannelIds}
        added={(channel, hasMadeKey) => {
          added.current.push({ channel, hasKey: hasMadeKey });
          if (kept !== null) void action.run(() => addChannels(kept, [...chosen, channel.id], hasMadeKey));
        }}
        pending={filled}
        watch={watch}
        isSaved={kept !== null}
        buttons={
          isAbove ? (
            <>
              <p class="row" ref={buttons}>
                {unheardButtons}
              </p>
              <Failure problem={action.problem} />
            </>
          ) : null
        }
      />
      {!isAbove && (
        <>
          <Failure problem={action.problem} />
          <p class="row stays" ref={buttons}>
            {kept === null ? (
              <>
                <button
                  type="submit"
                  form={formId}
                  class="primary"
                  disabled={action.busy || rule === null || channelIds === null}
                >
                  {changed === null ? 'Save alert' : 'Save change'}
                </button>
                <button type="button" disabled={action.busy} onClick={close}>
                  Cancel
                </button>
              </>
            ) : hasKey ? (
              <button type="button" class="primary" onClick={close}>
                Close
              </button>
            ) : (
              unheardButtons
            )}
          </p>
        </>
      )}
    </>
  );
}
