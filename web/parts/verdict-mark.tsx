import { useContext } from 'preact/hooks';
import type { JudgedOffer, OfferVerdict, PriceTiming } from '../core/api.ts';
import { OwnTime } from '../core/own-time.ts';
import {
  gradeLooks,
  gradeOf,
  timingClaim,
  type VerdictGrade,
  verdictLines,
  withoutTiming,
} from '../core/verdict-words.ts';
import { Icon } from './icon.tsx';

/** The verdict of an offer: an icon, a few words, what they rest on, and the details on hover. */
export function VerdictMark({ verdict }: { verdict: OfferVerdict | null }) {
  const { text, claim } = verdict?.summary ?? { text: 'no verdict', claim: '' };
  const title = verdict === null ? undefined : verdictLines(verdict).join('\n');
  return <Mark grade={gradeOf(verdict)} text={text} claim={claim} title={title} />;
}

interface TimingProps {
  timing: PriceTiming | null;
  /** The offer with the lowest price: its verdict says what is missing where there is no timing. */
  lowest: JudgedOffer;
}

/** Whether the lowest price of a model is low now: an icon, a few words and what they rest on. */
export function TimingMark({ timing, lowest }: TimingProps) {
  const newest = useContext(OwnTime);
  if (timing === null) return <Mark grade="unknown" {...withoutTiming(lowest.verdict)} title={undefined} />;
  const { grade, text, sentence } = timing;
  const claim = timingClaim(timing, { now: lowest.usdPerGpuHour, newest });
  return <Mark grade={gradeLooks[grade]} text={text} claim={claim} title={sentence} />;
}

interface MarkProps {
  grade: VerdictGrade;
  text: string;
  /** Empty: none. */
  claim: string;
  title: string | undefined;
}

const Mark = ({ grade, text, claim, title }: MarkProps) => (
  <span class={`verdict ${grade}`} title={title}>
    <Icon name={grade} />{' '}
    <span class="words-of">
      {text}
      {claim !== '' && ':'}
    </span>{' '}
    {claim !== '' && <small class="soft">{claim}</small>}
  </span>
);
