import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { listChannelKinds, listChannels } from '../../client/operations.js';
import type { Channel } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { pathTo } from '../core/path-to.ts';
import { addingChannels, reasonFor } from '../core/permission.ts';
import { useAction } from '../core/use-action.ts';
import { useAnswer } from '../core/use-answer.ts';
import { SomeOf } from '../parts/choice.tsx';
import { Failure } from '../parts/failure.tsx';
import { Awaited } from '../parts/notice.tsx';
import { canNotify, filesOnlyWords } from './channel-names.ts';
import { channelOptions, firstChannels } from './chosen-channels.ts';
import { type FilledChannel, NewChannel } from './new-channel.tsx';
import { noChannelWords } from './notifies-nobody.tsx';
import { SendAgain } from './send-again.tsx';
import { SigningKey } from './signing-key.tsx';
import { failedWords, testChannel } from './test-channel.ts';

interface Props {
  app: App;
  /** null: not chosen yet. */
  chosen: readonly string[] | null;
  choose: (ids: string[]) => void;
  /** Called after a channel was added and chosen. `hasMadeKey`: its signing key is shown, once. */
  added: (channel: Channel, hasMadeKey: boolean) => void;
  /** Adds the channel that is filled in but not added yet; null: none is. */
  pending: FilledChannel;
  /** The watch whose channels are notified if none is chosen; null: there is none. */
  watch: { name: string; channelIds: readonly string[] } | null;
  /** Whether the alert is saved already, so that it was said whom it notifies. */
  isSaved: boolean;
  /** The buttons of the box, above all that appears by a choice; null: they stand elsewhere. */
  buttons: ComponentChildren;
}

/** Shows what was asked for from its beginning: behind the buttons of the box it would begin out of sight. */
const toTop = (element: Element | null) => element?.scrollIntoView({ block: 'start' });
/** Shows the whole of why a channel is off. */
const intoView = (element: Element | null) => element?.scrollIntoView({ block: 'nearest' });

const noResult = { text: '', isBad: false };

/** Chooses whom an alert notifies; a channel can be added and tested here. */
export function AlertChannels({ app, chosen, choose, added, pending, watch, isSaved, buttons }: Props) {
  const channels = useAnswer(app, pathTo(listChannels, { limit: 1000 }));
  const kinds = useAnswer(app, pathTo(listChannelKinds, {})).data?.items ?? [];
  const [adding, setAdding] = useState(false);
  /** Whether the reader opened the form of a new channel. */
  const isAsked = useRef(false);
  const [madeKey, setMadeKey] = useState<string | null>(null);
  /** The channel that was added last. */
  const [newId, setNewId] = useState<string | null>(null);
  const [result, setResult] = useState(noResult);
  const resultLine = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (result.isBad) intoView(resultLine.current);
  }, [result]);
  /** The channel whose test message was accepted last. */
  const [working, setWorking] = useState<Channel | null>(null);
  const action = useAction(app);
  const known = channels.data?.items ?? null;
  const reason = reasonFor(app, addingChannels);
  const mayAdd = reason === null;
  useEffect(() => {
    if (known === null || chosen !== null) return;
    choose(firstChannels(window, known));
    setAdding(known.length === 0 && mayAdd);
  }, [known, chosen, mayAdd]);
  // Shown here: an announcement of the page behind would not be heard.
  const test = (channel: Channel) =>
    action.run(async () => {
      setResult({ text: 'Sending…', isBad: false });
      const { isSent, words } = await testChannel(app, channel);
      setWorking(isSent ? channel : null);
      setResult({ text: words, isBad: !isSent });
      // A test switches a channel on, or off.
      channels.reload();
      return undefined;
    });
  const notified = (known ?? []).filter(({ id }) => chosen?.includes(id) === true);
  const on = notified.filter(({ offReason }) => offReason === null);
  const files = filesOnlyWords(on);
  const missing = kinds.filter(
    (kind) => kind.missing !== null && notified.some((one) => one.kind === kind.kind),
  );
  // Once: the result of a test may have said why already.
  const off = notified.filter(
    ({ name, offReason }) => offReason !== null && !result.text.startsWith(failedWords(name, offReason)),
  );
  const testButtons = ({ length }: readonly Channel[]) =>
    notified.map((channel) => (
      <button
        key={channel.id}
        type="button"
        class="small"
        disabled={action.busy}
        onClick={() => void test(channel)}
      >
        Send a test{notified.length > 1 || length > 1 ? ` to ${channel.name}` : ''}
      </button>
    ));
  return (
    <Awaited answer={channels} what="the channels">
      {({ items }) => (
        <section class="alert-channels" aria-label="Channels of the alert">
          <div class="row">
            {items.length > 0 && (
              <SomeOf
                legend="Notify"
                name="alert-channel"
                options={channelOptions(items)}
                chosen={chosen ?? []}
                choose={choose}
              />
            )}
            {mayAdd && (items.length > 0 || !adding) && (
              <button
                type="button"
                class="small"
                disabled={adding}
                onClick={() => {
                  isAsked.current = true;
                  setAdding(true);
                }}
              >
                New channel…
              </button>
            )}
            {buttons === null && testButtons(items)}
          </div>
          {buttons}
          {buttons !== null && notified.length > 0 && <div class="row">{testButtons(items)}</div>}
          {madeKey !== null && <SigningKey app={app} text={madeKey} />}
          <p class={result.isBad ? 'failure' : 'caption'} role="status" data-test ref={resultLine}>
            {action.problem === null && result.text}
          </p>
          {files !== null && (
            <p
              class={on.some(canNotify) ? 'caption' : 'remark'}
              role="status"
              data-files={on.some(canNotify) ? 'also' : 'only'}
            >
              {files}
            </p>
          )}
          {working !== null && <SendAgain key={working.id} app={app} channel={working} />}
          {off.map(({ id, name, offReason }) => (
            <p key={id} class="remark" data-off={id} ref={id === newId ? intoView : null}>
              Nothing is sent to {name} while it is off: {offReason}.
            </p>
          ))}
          {missing.map(({ kind, missing: what }) => (
            <p key={kind} class="remark" data-missing={kind}>
              {what}
            </p>
          ))}
          <Failure problem={action.problem} />
          {!isSaved && chosen !== null && chosen.length === 0 && (
            <p
              class={watch?.channelIds.length ? 'caption' : 'remark'}
              role="status"
              data-notifies={watch?.channelIds.length ? 'watch' : 'nobody'}
            >
              {noChannelWords(items, watch, reason)}
            </p>
          )}
          {adding && (
            <div ref={isAsked.current ? toTop : null}>
              <NewChannel
                app={app}
                kinds={kinds}
                names={items.map(({ name }) => name)}
                refused={channels.reload}
                pending={pending}
                // That it is off stands below.
                say={(said) => setResult(typeof said === 'string' ? { text: said, isBad: false } : noResult)}
                added={(channel, madeSecret) => {
                  channels.reload();
                  choose([...(chosen ?? []), channel.id]);
                  // The key moves to the new channel: it is shown only once, and the form would hide it.
                  if (madeSecret !== null) setMadeKey(madeSecret);
                  setAdding(false);
                  setNewId(channel.id);
                  added(channel, madeSecret !== null);
                }}
              />
            </div>
          )}
        </section>
      )}
    </Awaited>
  );
}
