import type { Budgets, Channel, Instance, Instances } from '../core/api.ts';
import { problemText } from '../core/api-client.ts';
import type { App } from '../core/app.ts';
import { managing, reasonFor } from '../core/permission.ts';
import { getNow } from '../core/server-time.ts';
import type { Answer } from '../core/use-answer.ts';
import type { Page } from '../core/use-pages.ts';
import { Failure } from '../parts/failure.tsx';
import { FirstRows } from '../parts/first-rows.tsx';
import { Awaited, Notice } from '../parts/notice.tsx';
import { useInstanceDialogs } from '../rentals/instances/instance-dialogs.tsx';
import { type Need, type NeedAction, needsHead, needsOf } from './needs.ts';

interface Props {
  app: App;
  instances: Answer<Instances>;
  budgets: Answer<Budgets>;
  channels: Answer<Page<Channel>>;
  /** Reads again what an action has changed. */
  reload: () => void;
}

const verbs: Record<NeedAction, string> = {
  settle: 'Resolve',
  bid: 'Bid',
  extend: 'Extend',
  stop: 'Stop',
  destroy: 'Destroy',
};

/** Instances, budgets and channels that need a decision, each with its reason and the action for it. */
export function NeedsYou({ app, instances, budgets, channels, reload }: Props) {
  const { acts, dialog, extension } = useInstanceDialogs({
    app,
    instances: instances.data?.items ?? [],
    reload,
  });
  const mayAct = reasonFor(app, managing) === null;
  const act = (action: NeedAction, instance: Instance) => {
    if (action === 'extend') acts.extend(instance);
    else if (action === 'settle' || action === 'bid') acts.ask({ what: action, instance });
    else acts.end({ kind: action, instance });
  };
  // All appear together, so that nothing below is pushed down twice.
  const others = [
    { answer: budgets, name: 'Budgets' },
    { answer: channels, name: 'Channels' },
  ];
  const isWhole = others.every(({ answer: { data, problem } }) => data !== null || problem !== null);
  const unread = others.flatMap(({ answer: { data, problem, reload }, name }) =>
    data === null && problem !== null ? [{ name, problem, reload }] : [],
  );
  return (
    <section class="card" aria-label="Needs you" id="needs">
      <Awaited answer={isWhole ? instances : { ...instances, data: null }} what="what needs you">
        {({ items }) => {
          const needs = needsOf(
            { instances: items, budgets: budgets.data?.items ?? [], channels: channels.data?.items ?? [] },
            getNow(),
          );
          return (
            <>
              <h2>
                <a href="/instances">Needs you</a>
                <small>{needsHead(needs, items.length)}</small>
              </h2>
              {unread.map(({ name, problem, reload }) => (
                <p key={name} class="remark" role="status" data-unread={name}>
                  {name} could not be read: what needs you there is unknown. {problemText(problem)}{' '}
                  <button type="button" class="small" onClick={reload}>
                    Try again
                  </button>
                </p>
              ))}
              {needs.length === 0 ? (
                <Notice title={unread.length === 0 ? 'Nothing needs you' : 'No instance needs you'}>
                  {items.length === 0 ? 'No instance is rented.' : 'Every instance is as it should be.'}
                </Notice>
              ) : (
                <FirstRows rows={needs} first="The first" noun="item">
                  {(shown) => (
                    <ul class="lines">
                      {shown.map((need) => (
                        <NeedLine key={need.key} need={need} act={mayAct ? act : null} />
                      ))}
                    </ul>
                  )}
                </FirstRows>
              )}
              <Failure problem={extension.problem} />
            </>
          );
        }}
      </Awaited>
      {dialog}
    </section>
  );
}

interface LineProps {
  need: Need;
  /** null: the reader may not act. */
  act: ((action: NeedAction, instance: Instance) => void) | null;
}

function NeedLine({ need: { name, kind, reason, href, instance, action }, act }: LineProps) {
  return (
    <li data-need={kind}>
      <p>
        <a href={href}>{name}</a> {reason}
      </p>
      {act !== null && action !== null && instance !== null && (
        <button
          type="button"
          class={action === 'destroy' ? 'small danger' : 'small'}
          aria-label={`${verbs[action]} ${name}`}
          onClick={() => act(action, instance)}
        >
          {verbs[action]}
          {action === 'extend' ? '' : '…'}
        </button>
      )}
    </li>
  );
}
