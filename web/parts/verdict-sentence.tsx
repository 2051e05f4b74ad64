import type { ComponentChildren } from 'preact';
import type { JudgedOffer } from '../core/api.ts';
import { formatUsd } from '../core/figures.ts';
import { gradeOf, verdictLines } from '../core/verdict-words.ts';
import { Explain, explainQuery } from './explain.tsx';
import { Icon, type IconName } from './icon.tsx';
import { Term } from './term.tsx';

type VerifiedOffer = Pick<JudgedOffer, 'listingId' | 'usdPerGpuHour'>;

interface Props {
  /** What the price is of. */
  children?: ComponentChildren;
  judged: Pick<JudgedOffer, 'listingId' | 'verification' | 'usdPerGpuHour' | 'verdict'>;
  /** The cheapest offer of a verified machine; null: there is none. */
  verified: VerifiedOffer | null;
  /** Query that explains the price; null: a link to its listing instead. */
  priceQuery: string | null;
  /** The market of the explanation; null: the default one. */
  market: string | null;
}

/** How an offer's price compares with those of other machines, in a sentence; all windows when opened. */
export function VerdictSentence({ children, judged, verified, priceQuery, market }: Props) {
  const { listingId, usdPerGpuHour, verdict } = judged;
  const { days, text, sentence } = verdict?.summary ?? noVerdict;
  const query =
    verdict === null
      ? null
      : explainQuery('verdict', { market, listingId, days: days === null ? null : `${days}` });
  const price = formatUsd(usdPerGpuHour);
  return (
    <div class="judgement of-machine" data-listing={listingId} data-value={usdPerGpuHour} data-days={days}>
      <p>
        {children}
        <strong>
          {priceQuery === null ? (
            <a href={`/listings/${listingId}`}>{price}</a>
          ) : (
            <Explain query={priceQuery}>{price}</Explain>
          )}
        </strong>{' '}
        per GPU-hour with 8 GB of disk,{' '}
        <Graded grade={gradeOf(verdict)} query={query}>
          {text}
        </Graded>
        {sentence.slice(text.length)}. <Verified judged={judged} verified={verified} />
      </p>
      {verdict !== null && (
        <details>
          <summary>This offer beside all others</summary>
          <ul>
            {verdictLines(verdict).map((line) => (
              <li key={line}>{line}</li>
            ))}
            <li>
              This says which machine is cheap. Whether it is a <Term word="good time" /> to rent goes by the
              lowest price before: all machines may be dear now.
            </li>
            <li>
              <a href={`/listings/${listingId}`}>Prices of this listing</a>
            </li>
          </ul>
        </details>
      )}
    </div>
  );
}

const noVerdict = {
  days: null,
  text: 'no verdict',
  sentence: 'no verdict, because the newest book is not complete',
};

function Verified({ judged, verified }: Pick<Props, 'judged' | 'verified'>) {
  if (verified?.listingId === judged.listingId) return <>The machine is verified.</>;
  if (verified === null) return judged.verification === null ? null : <>None is verified.</>;
  return <LowestVerified verified={verified} />;
}

/** The lowest price of a verified machine, with a link to it. */
export const LowestVerified = ({ verified: { listingId, usdPerGpuHour } }: { verified: VerifiedOffer }) => (
  <>
    Lowest verified, any reliability:{' '}
    <a href={`/listings/${listingId}`} data-verified={usdPerGpuHour}>
      {formatUsd(usdPerGpuHour)}
    </a>
    .
  </>
);

interface GradedProps {
  grade: IconName;
  /** Query that explains the words; null: they have no explanation. */
  query: string | null;
  children: string;
}

/** Words in the color of a grade, with its icon. */
export const Graded = ({ grade, query, children }: GradedProps) => (
  <span class={`claim ${grade}`}>
    <Explain query={query}>
      <Icon name={grade} />
      {children}
    </Explain>
  </span>
);
