import type { OfferVerdict } from '../core/api.ts';
import { gradeOf, verdictLines } from '../core/verdict-words.ts';
import { Icon } from './icon.tsx';

/** The verdict of an offer: an icon, a few words, what they rest on, and the details on hover. */
export function VerdictMark({ verdict }: { verdict: OfferVerdict | null }) {
  const grade = gradeOf(verdict);
  const { text, claim } = verdict?.summary ?? { text: 'no verdict', claim: '' };
  return (
    <span class={`verdict ${grade}`} title={verdict === null ? undefined : verdictLines(verdict).join('\n')}>
      <Icon name={grade} /> {text}
      {claim !== '' && <small class="soft"> {claim}</small>}
    </span>
  );
}
