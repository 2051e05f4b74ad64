import { useEffect, useRef, useState } from 'preact/hooks';
import { hrefOf } from '../../core/address.ts';
import type { Instance, InstanceDetail } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { formatAmount, formatShare, formatUsd } from '../../core/figures.ts';
import { countryName } from '../../parts/country.tsx';
import { Term } from '../../parts/term.tsx';
import type { Ending } from './end-dialog.tsx';
import { EqualEnding, useEqualEnd } from './equal-end.tsx';
import { gpusOf } from './instance-rows.ts';
import { MoveDialog } from './move-dialog.tsx';
import { moveStep } from './move-step.ts';
import { runsLater, stateWords } from './state-words.ts';

interface Props {
  app: App;
  detail: InstanceDetail;
  canAct: boolean;
  end: (ending: Ending) => void;
  reload: () => void;
}

/**
 * Moves an instance to an equal machine that costs less: rents it, waits until it is ready, then asks to destroy this
 * one. What it shows follows from the rentals alone, so that it goes on after a reload.
 */
export function MovePanel({ app, detail, canAct, end, reload }: Props) {
  const [asking, setAsking] = useState(false);
  const { instance, equal, replacement } = detail;
  const step = moveStep(detail);
  const endOf = useEqualEnd(app);
  // Asks once when the reader has waited; after a reload the button asks.
  const before = useRef(step);
  useEffect(() => {
    if (before.current === 'waiting' && step === 'ready' && canAct) end({ kind: 'destroy', instance });
    before.current = step;
  }, [step]);
  if (step === 'none') {
    return (
      <p class="caption" data-move={step}>
        {instance.state === 'stopped'
          ? 'It is stopped, so no other machine is looked for.'
          : runsLater(instance.state)
            ? 'An equal machine that costs less is looked for once it runs.'
            : 'No equal machine costs less in the newest book.'}
      </p>
    );
  }
  if (step === 'found' && equal !== null) {
    const end = endOf(instance, equal.hostEndsAt);
    return (
      <>
        <p data-move={step} data-saves={equal.savesUsdPerHour}>
          An <Term word="equal machine" /> costs {formatUsd(equal.usdPerHour)}/hour all-in,{' '}
          <strong>{formatAmount(equal.savesUsdPerHour, 4)}/hour less</strong> (
          {formatAmount(String(Number(equal.savesUsdPerHour) * 24), 2)}/day): {gpusOf(instance)},{' '}
          <a href={ownRent(instance, equal)}>machine {equal.machineId}</a>, {countryName(equal.country)},{' '}
          {equal.verification ?? 'verification unknown'}, reliability {formatShare(equal.reliability)}.
        </p>
        <EqualEnding endsAt={equal.hostEndsAt} end={end} />
        <p class="remark">{notCopied}</p>
        {canAct && (
          <FoundActions
            instance={instance}
            equal={equal}
            isEarly={end.early !== null}
            ask={() => setAsking(true)}
          />
        )}
        {asking && (
          <MoveDialog
            app={app}
            instance={instance}
            equal={equal}
            close={() => setAsking(false)}
            done={() => {
              setAsking(false);
              before.current = 'waiting';
              reload();
            }}
          />
        )}
      </>
    );
  }
  if (replacement === null) return null;
  const other = <OtherInstance replacement={replacement} />;
  return (
    <>
      <p data-move={step} role="status">
        {step === 'waiting' && (
          <>
            {other} is rented in its place: {stateWords(replacement.state).text}. Waiting until it is ready;
            this page may be closed meanwhile.
          </>
        )}
        {step === 'ready' && <>{other} is ready. Both are charged until you destroy this one.</>}
        {step === 'failed' && (
          <>
            {other} did not start: {stateWords(replacement.state).text}
            {replacement.reason === null ? '' : ` (${replacement.reason})`}. This instance stays as it is.
            Destroy the other one to try again.
          </>
        )}
        {step === 'moved' && <>Its work goes to {other}.</>}
      </p>
      {(step === 'waiting' || step === 'ready') && (
        <p class="remark">{notCopied} Copy what you need before you destroy this one.</p>
      )}
      {canAct && (step === 'ready' || replacement.state === 'running') && step !== 'moved' && (
        <p class="row">
          <button type="button" class="danger" onClick={() => end({ kind: 'destroy', instance })}>
            Destroy this instance…
          </button>
        </p>
      )}
    </>
  );
}

const notCopied = 'No data is copied: the new instance starts with an empty disk.';

type Equal = NonNullable<InstanceDetail['equal']>;

/** Returns where the equal machine is shown whole, and can be rented with other settings. */
function ownRent({ diskGb, type }: Instance, { offerId }: Equal): string {
  const query = new URLSearchParams(diskGb === null ? {} : { storageGb: String(diskGb) });
  if (type === 'bid') query.set('type', 'bid');
  return hrefOf(`/rent/${offerId}`, query);
}

interface ActionsProps {
  instance: Instance;
  equal: Equal;
  /** Whether its host ends it early, so that it is not recommended. */
  isEarly: boolean;
  ask: () => void;
}

function FoundActions({ instance, equal, isEarly, ask }: ActionsProps) {
  if (equal.problem === null) {
    return (
      <p class="row">
        <button type="button" class={isEarly ? '' : 'primary'} onClick={ask}>
          Rent the cheaper machine…
        </button>
      </p>
    );
  }
  return (
    <p class="row">
      <span class="soft">It cannot be rented with the same settings: {equal.problem}.</span>
      <a class="button" href={ownRent(instance, equal)}>
        Rent it yourself
      </a>
    </p>
  );
}

function OtherInstance({ replacement }: { replacement: NonNullable<InstanceDetail['replacement']> }) {
  return replacement.instanceId === null ? (
    <>A machine</>
  ) : (
    <a href={`/instances/${replacement.instanceId}`}>Instance {replacement.instanceId}</a>
  );
}
