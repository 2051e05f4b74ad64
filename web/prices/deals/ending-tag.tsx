import { endingWords, endMoment, hostEndsIn } from '../../core/ending-words.ts';
import { useOwnNow } from '../../core/own-time.ts';
import { profileHours } from '../../parts/filter-fields.ts';

interface Props {
  /** Hours from now; null: not stated. */
  left: number | null;
  /** The request with its usage profile. */
  asked: URLSearchParams;
}

/** Marks an offer that ends before the hours of the usage profile are over. */
export function EndingTag({ left, asked }: Props) {
  const now = useOwnNow();
  const hours = profileHours(asked);
  if (left === null || left >= hours) return null;
  return (
    <span
      class={asked.has('runningHours') ? 'tag warn below' : 'tag'}
      title={`The machine is offered ${endMoment(left, now)}, less than the ${hours} h of use that offers are compared by; with them, in the usage profile, such offers can be listed last`}
    >
      {asked.has('runningHours') ? endingWords(left, hours) : hostEndsIn(left)}
    </span>
  );
}
