import { endingWords, endsSoon, listedEnd, offeredUntil } from '../../core/ending-words.ts';
import { useOwnNow } from '../../core/own-time.ts';
import { profileHours } from '../../parts/filter-fields.ts';

interface Props {
  /** Hours from now; null: not stated. */
  left: number | null;
  /** The request with its usage profile. */
  asked: URLSearchParams;
}

/** Marks an offer that ends before the hours of the usage profile are over: a warning if that is soon. */
export function EndingTag({ left, asked }: Props) {
  const now = useOwnNow();
  const hours = profileHours(asked);
  if (left === null || left >= hours) return null;
  // Hours of the reader's own that an offer does not last for are a warning.
  const isWanted = hours !== profileHours(new URLSearchParams());
  return (
    <span
      class={`tag ${isWanted || endsSoon(left) ? 'warn' : 'neutral'}${isWanted ? ' below' : ''}`}
      title={offeredUntil(left, hours, now)}
    >
      {isWanted ? endingWords(left, hours) : listedEnd(left)}
    </span>
  );
}
