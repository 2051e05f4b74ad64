import type { Instance } from '../../core/api.ts';
import { afterEndWords } from '../../core/ending-words.ts';
import { useOwnNow } from '../../core/own-time.ts';
import { Moment } from '../../parts/moment.tsx';
import { saysHostEnd } from './instance-rows.ts';

interface Props {
  instance: Instance;
  /** Puts off the end that comes soon; null: the reader may not. */
  extend: ((instance: Instance) => void) | null;
  /** Whether it is also said what follows. @default false */
  isWhole?: boolean;
}

/**
 * What ends an instance: its limits, the end that comes soon with a button to put it off, else its host's offer; and
 * which cheaper machine is looked for.
 */
export function LimitsCell({ instance, extend, isWhole = false }: Props) {
  const now = useOwnNow();
  const { endsAt, endAction, hostEndsAt, idleMinutes, maxUsd, ending } = instance;
  if (endAction === null) {
    return (
      <>
        <HostEnd
          hostEndsAt={hostEndsAt}
          isWhole={isWhole}
          lead={isWhole ? 'No limit of yours ends it; the ' : ''}
        />
        <Cheaper instance={instance} />
      </>
    );
  }
  const done = `${isWhole ? 'It ' : ''}${endAction === 'destroy' ? 'is destroyed' : 'stops'}`;
  return (
    <>
      {ending !== null && (
        <div data-ending={ending.limit}>
          <span class="tag warn">ends soon</span> {done} about <Moment t={ending.at} relative={false} />:{' '}
          {ending.reading}{' '}
          {extend !== null && (
            <button
              type="button"
              class="small primary"
              aria-label={`Extend ${instance.instanceId}`}
              title="By an hour, by the idle minutes again, or by the dollars of an hour"
              onClick={() => extend(instance)}
            >
              Extend
            </button>
          )}
        </div>
      )}
      {endsAt !== null && (
        <div>
          {done} <Moment t={endsAt} />
        </div>
      )}
      {idleMinutes !== null && (
        <div>
          {done} after {idleMinutes} idle minutes
        </div>
      )}
      {maxUsd !== null && (
        <div>
          {done} at ${maxUsd}
        </div>
      )}
      {saysHostEnd(instance, { now, isWhole }) && <HostEnd hostEndsAt={hostEndsAt} isWhole={isWhole} />}
      <Cheaper instance={instance} />
    </>
  );
}

interface HostEndProps extends Pick<Instance, 'hostEndsAt'> {
  isWhole: boolean;
  /** @default nothing */
  lead?: string;
}

/** When the host ends the offer. */
const HostEnd = ({ hostEndsAt, isWhole, lead = '' }: HostEndProps) => (
  <div class="soft">
    {lead}host ends it {hostEndsAt === null ? 'at an unknown time' : <Moment t={hostEndsAt} />}
    {isWhole && `. ${afterEndWords}`}
  </div>
);

/** What is done with a cheaper equal machine; nothing if none is looked for. */
function Cheaper({ instance }: { instance: Instance }) {
  const { cheaperPercent, cheaperBooks, cheaperOfBooks, cheaperAction } = instance;
  if (cheaperPercent === null) return null;
  return (
    <div class="soft" data-cheaper={cheaperPercent}>
      {cheaperAction === 'replace' ? 'rents' : 'looks for'} an equal machine that is {cheaperPercent}% cheaper
      in {cheaperBooks} of {cheaperOfBooks} books
    </div>
  );
}
