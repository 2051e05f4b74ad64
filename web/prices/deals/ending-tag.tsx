import { useId } from 'preact/hooks';
import { endingWords, endsSoon, listedEnd, offeredUntil } from '../../core/ending-words.ts';
import { useOwnNow } from '../../core/own-time.ts';
import { profileHours } from '../../parts/filter-fields.ts';

interface Props {
  /** Hours from now; null: not stated. */
  left: number | null;
  /** The request with its usage profile. */
  asked: URLSearchParams;
}

/** Marks an offer that ends before the hours of the usage profile are over: a warning if that is soon. A tap says until when. */
export function EndingTag({ left, asked }: Props) {
  const id = useId();
  const now = useOwnNow();
  const hours = profileHours(asked);
  if (left === null || left >= hours) return null;
  // Hours of the reader's own that an offer does not last for are a warning.
  const isWanted = hours !== profileHours(new URLSearchParams());
  const until = offeredUntil(left, hours, now);
  return (
    <>
      <button
        type="button"
        class={`tag ${isWanted || endsSoon(left) ? 'warn' : 'neutral'}${isWanted ? ' below' : ''}`}
        title={until}
        popovertarget={id}
      >
        {isWanted ? endingWords(left, hours) : listedEnd(left)}
      </button>
      <span id={id} popover="auto" role="note" class="meaning">
        {until}
      </span>
    </>
  );
}
