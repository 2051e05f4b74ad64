import { getInstance, listInstances } from '../../../client/operations.js';
import type { InstanceDetail } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { pathTo } from '../../core/path-to.ts';
import { useAnswer } from '../../core/use-answer.ts';
import type { Live } from '../../core/use-live.ts';
import { Reason } from '../../parts/allowed.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { Failure } from '../../parts/failure.tsx';
import { LiveState } from '../../parts/live-state.tsx';
import { Missing } from '../../parts/missing.tsx';
import { LoadingNotice, ProblemNotice } from '../../parts/notice.tsx';
import type { ViewProps } from '../../parts/view.ts';
import { ViewHead } from '../../parts/view-head.tsx';
import { sshCommand } from './copy-ssh.tsx';
import { type Acts, InstanceActions } from './instance-actions.tsx';
import { useInstanceDialogs } from './instance-dialogs.tsx';
import { CostFacts, InstanceFacts } from './instance-facts.tsx';
import { gpusOf, nameOf } from './instance-rows.ts';
import { InstanceState } from './instance-state.tsx';
import { LimitsCell } from './limits-cell.tsx';
import { MovePanel } from './move-panel.tsx';
import { runsLater, stateWords } from './state-words.ts';
import { TimelineTable } from './timeline-table.tsx';

interface Props extends ViewProps {
  live: Live;
  /** Why the reader may not act; null: they may. */
  reason: string | null;
  /** As in the address. */
  id: string;
}

/** One instance, active or ended: its facts, cost, limits, a cheaper machine and its timeline. */
export function InstancePage({ app, live, reason, id }: Props) {
  const isNumber = /^\d{1,15}$/.test(id);
  const answer = useAnswer(app, isNumber ? pathTo(getInstance, { id }) : null, live.changed);
  const { data, problem, reload } = answer;
  if (!isNumber || problem?.status === 404) return <Unknown id={id} />;
  if (data === null) {
    return (
      <>
        <ViewHead title={`Instance ${id}`} />
        {problem === null ? (
          <LoadingNotice what="the instance" />
        ) : (
          <ProblemNotice problem={problem} retry={reload} />
        )}
      </>
    );
  }
  return (
    <>
      {problem !== null && <ProblemNotice problem={problem} retry={reload} />}
      <Shown app={app} detail={data} live={live} reason={reason} reload={reload} />
    </>
  );
}

function Unknown({ id }: { id: string }) {
  return (
    <Missing title="Instance not found">
      The account has never had an instance {id}. <a href="/instances">See all instances</a>, or search the{' '}
      <a href="/instances?show=ended">ended ones</a>.
    </Missing>
  );
}

interface ShownProps {
  app: App;
  detail: InstanceDetail;
  live: Live;
  reason: string | null;
  reload: () => void;
}

function Shown({ app, detail, live, reason, reload }: ShownProps) {
  const { instance } = detail;
  const canAct = reason === null;
  // Only a rental to settle needs the others.
  const account = useAnswer(app, instance.state === 'unsettled' ? pathTo(listInstances, {}) : null);
  const others = account.data?.items ?? [];
  const { acts, dialog, extension } = useInstanceDialogs({ app, instances: [instance, ...others], reload });
  const isEnded = instance.endedAt !== null;
  const command = isEnded ? null : sshCommand(instance);
  const name = nameOf(instance);
  return (
    <>
      <ViewHead
        title={name}
        note={instance.label === null ? 'no label' : `${gpusOf(instance)} · ${instance.instanceId}`}
      >
        <a class="button back" href={isEnded ? '/instances?show=ended' : '/instances'}>
          All instances
        </a>
        <LiveState state={live.state} />
      </ViewHead>
      <section class="card" aria-label="Instance" id="instance">
        {!isEnded && (
          <p>
            {canAct ? <InstanceActions instance={instance} acts={acts} isLarge /> : <Reason>{reason}</Reason>}
          </p>
        )}
        <p class={`outcome wraps ${stateWords(instance.state).grade}`} data-state={instance.state}>
          <InstanceState instance={instance} />
        </p>
        <Related detail={detail} />
        <InstanceFacts app={app} detail={detail} canAct={canAct} reload={reload} />
        {command !== null && (
          <p class="ssh">
            <CopyText app={app} text={command} />
            <small class="soft">opens with an SSH key of your account at the market</small>
          </p>
        )}
        {runsLater(instance.state) && <p class="soft">SSH can be used when it is running.</p>}
      </section>
      <section class="card" aria-label="Cost" id="cost">
        <h2>Cost</h2>
        <CostFacts instance={instance} />
      </section>
      {!isEnded && (
        <Limits
          detail={detail}
          acts={canAct ? acts : null}
          failure={<Failure problem={extension.problem} />}
        />
      )}
      {(!isEnded || detail.replacement !== null) && (
        <section class="card" aria-label="Cheaper equal machine" id="cheaper">
          <h2>Cheaper equal machine</h2>
          <MovePanel app={app} detail={detail} canAct={canAct} end={acts.end} reload={reload} />
        </section>
      )}
      <section class="card" aria-label="Timeline" id="events">
        <h2>
          Timeline<small>newest first</small>
        </h2>
        <TimelineTable detail={detail} />
      </section>
      {dialog}
    </>
  );
}

interface LimitsProps {
  detail: InstanceDetail;
  acts: Acts | null;
  failure: preact.JSX.Element;
}

/** What ends the instance, with the form that changes it. */
function Limits({ detail: { instance }, acts, failure }: LimitsProps) {
  return (
    <section class="card" aria-label="Limits" id="limits">
      <h2>Limits</h2>
      <LimitsCell instance={instance} extend={acts === null ? null : acts.extend} isWhole />
      {acts !== null && (
        <p class="row">
          <button
            type="button"
            aria-label="Change… the limits"
            onClick={() => acts.ask({ what: 'limits', instance })}
          >
            Change…
          </button>
        </p>
      )}
      {failure}
    </section>
  );
}

/** What an instance replaces, with a link. */
function Related({ detail: { replaces } }: { detail: InstanceDetail }) {
  if (replaces === null || replaces.instanceId === null) return null;
  return (
    <p data-replaces={replaces.instanceId}>
      In place of <a href={`/instances/${replaces.instanceId}`}>instance {replaces.instanceId}</a>:{' '}
      {stateWords(replaces.state).text}.
    </p>
  );
}
