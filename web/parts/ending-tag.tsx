import { endingWords, endsIn, endsSoon, listedEnd, offeredUntil } from '../core/ending-words.ts';
import { useOwnNow } from '../core/own-time.ts';
import { profileDefaults, profileHours } from './filter-fields.ts';
import { SaysMore } from './says-more.tsx';

interface Props {
  /** Hours from now; null: not stated. */
  left: number | null;
  /** The request with its usage profile. */
  asked: URLSearchParams;
  /** Whether the head of its column says what ends. @default false */
  isShort?: boolean;
}

/** Marks an offer that ends before the hours of the usage profile are over: a warning if that is soon. A tap says until when. */
export function EndingTag({ left, asked, isShort = false }: Props) {
  const now = useOwnNow();
  const hours = profileHours(asked);
  if (left === null || left >= hours) return null;
  // Hours of the reader's own that an offer does not last for are a warning.
  const isWanted = hours !== Number(profileDefaults.runningHours);
  const until = offeredUntil(left, hours, now);
  return (
    <SaysMore
      class={`tag ${isWanted || endsSoon(left) ? 'warn' : 'neutral'}${isWanted ? ' below' : ''}`}
      title={until}
      more={until}
    >
      {isShort ? `in ${endsIn(left)}` : isWanted ? endingWords(left, hours) : listedEnd(left)}
    </SaysMore>
  );
}
