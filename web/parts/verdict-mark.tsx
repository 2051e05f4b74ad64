import type { OfferVerdict } from '../core/api.ts';
import { verdictWords } from '../core/verdict-words.ts';
import { Icon } from './icon.tsx';

interface Props {
  verdict: OfferVerdict | null;
  /** Whether the price is an outlier, which is not praised for being low. @default false */
  isOutlier?: boolean;
}

/** The verdict of an offer: an icon, a few words, what they rest on, and the details on hover. */
export function VerdictMark({ verdict, isOutlier = false }: Props) {
  const { grade: found, text, basis, detail } = verdictWords(verdict);
  const grade = isOutlier ? 'unknown' : found;
  return (
    <span class={`verdict ${grade}`} title={detail}>
      <Icon name={grade} /> {text}
      {basis !== '' && <small class="soft"> {basis}</small>}
    </span>
  );
}
