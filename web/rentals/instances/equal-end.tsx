import type { Instance } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { earlyEnd, endsIn } from '../../core/ending-words.ts';
import { useOwnNow } from '../../core/own-time.ts';
import { profileHours } from '../../parts/filter-fields.ts';
import { Moment } from '../../parts/moment.tsx';

interface Props {
  /** When the host ends the equal machine; null: the market does not say. */
  endsAt: string | null;
  /** Hours until then, and what is said against it. */
  end: EqualEnd;
}

interface EqualEnd {
  /** null: the market does not say. */
  left: number | null;
  /** null: nothing is said against it. */
  early: string | null;
}

/** Returns in how many hours the host of an equal machine ends it, and whether that is early beside the instance. */
export function useEqualEnd(
  app: App,
): (instance: Pick<Instance, 'hostEndsAt'>, endsAt: string | null) => EqualEnd {
  const now = useOwnNow();
  const hours = profileHours(app.address.place.value.query);
  const leftUntil = (t: string | null) =>
    t === null ? null : Math.max(0, (Date.parse(t) - now) / 3_600_000);
  return ({ hostEndsAt }, endsAt) => {
    const left = leftUntil(endsAt);
    return { left, early: earlyEnd(left, leftUntil(hostEndsAt), hours) };
  };
}

/** When the host ends an equal machine, a warning if that is early. */
export const EqualEnding = ({ endsAt, end: { left, early } }: Props) => (
  <p class={early === null ? 'caption' : 'remark'} data-ends={early === null ? 'late' : 'early'}>
    {left === null ? (
      'The market does not say when the host ends it.'
    ) : (
      <>
        The host ends it in {endsIn(left)}, on <Moment t={endsAt} relative={false} />
        {early !== null && `: ${early}`}.
      </>
    )}
  </p>
);
