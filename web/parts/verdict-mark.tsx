import type { OfferVerdict } from '../core/api.ts';
import { verdictWords } from '../core/verdict-words.ts';
import { Icon } from './icon.tsx';

/** The verdict of an offer: an icon, a few words, what they rest on, and the details on hover. */
export function VerdictMark({ verdict }: { verdict: OfferVerdict | null }) {
  const { grade, text, basis, detail } = verdictWords(verdict);
  return (
    <span class={`verdict ${grade}`} title={detail}>
      <Icon name={grade} /> {text}
      {basis !== '' && <small class="soft"> {basis}</small>}
    </span>
  );
}
