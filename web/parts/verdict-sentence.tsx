import type { ComponentChildren } from 'preact';
import type { JudgedOffer, PriceTiming } from '../core/api.ts';
import { formatUsd } from '../core/figures.ts';
import { gradeLooks, gradeOf, leadsWithVerified, verdictLines } from '../core/verdict-words.ts';
import { Explain, explainQuery } from './explain.tsx';
import { Icon, type IconName } from './icon.tsx';

type VerifiedOffer = Pick<JudgedOffer, 'listingId' | 'usdPerGpuHour'>;

/** Whether the lowest price of a model is low now, in place of the verdict of its offer. */
interface Timed {
  timing: PriceTiming | null;
  verifiedTiming: PriceTiming | null;
  /** Queries that explain them. */
  query: string;
  verifiedQuery: string;
}

interface Props {
  /** What the price is of. */
  children?: ComponentChildren;
  judged: Pick<JudgedOffer, 'listingId' | 'verification' | 'usdPerGpuHour' | 'verdict'>;
  /** The cheapest offer of a verified machine; null: there is none. */
  verified: VerifiedOffer | null;
  /** Of the lowest price of a model. @default the verdict is of an offer */
  timed?: Timed | null;
  /** Query that explains the price; null: a link to its listing instead. */
  priceQuery: string | null;
  /** The market of the explanation; null: the default one. */
  market: string | null;
}

/** Whether a price is low now, in a sentence with what it rests on; all windows when opened. */
export function VerdictSentence({ children, judged, verified, timed = null, priceQuery, market }: Props) {
  const { listingId, usdPerGpuHour, verdict } = judged;
  const { days, text, sentence } = timed?.timing ?? verdict?.summary ?? noVerdict;
  const ofOffer =
    verdict === null
      ? null
      : explainQuery('verdict', { market, listingId, days: days === null ? null : `${days}` });
  const price = formatUsd(usdPerGpuHour);
  const lowest = (
    <strong data-lowest>
      {priceQuery === null ? (
        <a href={`/listings/${listingId}`}>{price}</a>
      ) : (
        <Explain query={priceQuery}>{price}</Explain>
      )}
    </strong>
  );
  const graded = (
    <>
      <Graded
        grade={timed?.timing == null ? gradeOf(verdict) : gradeLooks[timed.timing.grade]}
        query={timed?.timing == null ? ofOffer : timed.query}
      >
        {text}
      </Graded>
      {sentence.slice(text.length)}
    </>
  );
  const isVerifiedFirst = timed !== null && leadsWithVerified(judged, verified);
  return (
    <div class="judgement" data-listing={listingId} data-value={usdPerGpuHour} data-days={days}>
      {isVerifiedFirst && verified !== null ? (
        <p>
          {children}
          <VerifiedPrice verified={verified} /> per GPU-hour with 8 GB of disk on a verified machine
          <VerifiedTiming timed={timed} />. Lower{machineWords(judged)}: {lowest}, {graded}.
        </p>
      ) : (
        <p>
          {children}
          {lowest} per GPU-hour with 8 GB of disk{timed !== null && machineWords(judged)}, {graded}.{' '}
          <Verified judged={judged} verified={verified} timed={timed} />
        </p>
      )}
      {verdict !== null && (
        <details>
          <summary>This offer beside all others</summary>
          <ul>
            {verdictLines(verdict).map((line) => (
              <li key={line}>{line}</li>
            ))}
            <li>
              <a href={`/listings/${listingId}`}>Prices of this listing</a>
            </li>
          </ul>
        </details>
      )}
    </div>
  );
}

/** Says of the machine with a model's lowest price that it is not verified; empty: it is, or nothing is stated. */
const machineWords = ({ verification }: Props['judged']): string =>
  verification === null || verification === 'verified'
    ? ''
    : ` on ${verification === 'unverified' ? 'an' : 'a'} ${verification} machine`;

const noVerdict = {
  days: null,
  text: 'no verdict',
  sentence: 'no verdict, because the newest book is not complete',
};

function Verified({ judged, verified, timed }: Pick<Props, 'judged' | 'verified'> & { timed: Timed | null }) {
  if (verified?.listingId === judged.listingId) return <>The machine is verified.</>;
  if (verified === null) return judged.verification === null ? null : <>None is verified.</>;
  return (
    <LowestVerified verified={verified}>
      <VerifiedTiming timed={timed} />
    </LowestVerified>
  );
}

/** Whether the lowest price of verified machines is low now, after a comma; nothing without enough history. */
function VerifiedTiming({ timed }: { timed: Timed | null }) {
  const timing = timed?.verifiedTiming;
  if (timing == null) return null;
  return (
    <>
      ,{' '}
      <Graded grade={gradeLooks[timing.grade]} query={timed?.verifiedQuery ?? null}>
        {timing.text}
      </Graded>
      {timing.sentence.slice(timing.text.length)}
    </>
  );
}

interface LowestVerifiedProps {
  verified: VerifiedOffer;
  children?: ComponentChildren;
}

/** The lowest price of a verified machine, with a link to it. */
export const LowestVerified = ({ verified, children }: LowestVerifiedProps) => (
  <>
    Lowest verified: <VerifiedPrice verified={verified} />
    {children}.
  </>
);

const VerifiedPrice = ({ verified: { listingId, usdPerGpuHour } }: { verified: VerifiedOffer }) => (
  <a href={`/listings/${listingId}`} data-verified={usdPerGpuHour}>
    {formatUsd(usdPerGpuHour)}
  </a>
);

interface GradedProps {
  grade: IconName;
  /** Query that explains the words; null: they have no explanation. */
  query: string | null;
  children: string;
}

/** Words in the color of a grade, with its icon. */
const Graded = ({ grade, query, children }: GradedProps) => (
  <span class={`claim ${grade}`}>
    <Explain query={query}>
      <Icon name={grade} />
      {children}
    </Explain>
  </span>
);
