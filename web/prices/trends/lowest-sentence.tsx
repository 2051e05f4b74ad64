import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import type { JudgedOffer, LowestVerdict, PriceTiming } from '../../core/api.ts';
import { formatUsd } from '../../core/figures.ts';
import { OwnTime } from '../../core/own-time.ts';
import { gradeLooks, timingClaim, withoutTiming } from '../../core/verdict-words.ts';
import { Explain } from '../../parts/explain.tsx';
import { Graded } from '../../parts/verdict-sentence.tsx';

/** Queries that explain a lowest price and whether it is low now. */
interface Queries {
  price: string;
  timing: string;
}

interface Props {
  /** The model. */
  children: ComponentChildren;
  lowest: JudgedOffer;
  item: Pick<LowestVerdict, 'timing' | 'lowestVerified' | 'verifiedTiming'>;
  /** Whether the offers may have any reliability, unlike those of Deals. */
  isAny: boolean;
  of: Queries;
  ofVerified: (offer: JudgedOffer) => Queries;
}

/**
 * Whether it is a good time to rent a model, by the lowest price of verified machines if there are any; a lower price of
 * another machine, judged by those of all machines, when opened.
 */
export function LowestSentence({ children, lowest, item, isAny, of, ofVerified }: Props) {
  const { timing, lowestVerified: verified, verifiedTiming } = item;
  if (verified === null) {
    return (
      <div class="judgement" data-listing={lowest.listingId} data-value={lowest.usdPerGpuHour}>
        <p>
          {children} lowest of all offers <Price offer={lowest} query={of.price} name="lowest" /> per GPU-hour
          with 8 GB of disk, <Timing timing={timing} offer={lowest} query={of.timing} />.
          {lowest.verification !== null && ' None is verified.'}
        </p>
      </div>
    );
  }
  const queries = ofVerified(verified);
  return (
    <div class="judgement" data-listing={verified.listingId} data-value={verified.usdPerGpuHour}>
      <p>
        {children} lowest verified{isAny && ', any reliability,'}{' '}
        <Price offer={verified} query={queries.price} name="verified" /> per GPU-hour with 8 GB of disk,{' '}
        <Timing timing={verifiedTiming} offer={verified} query={queries.timing} />.
      </p>
      {lowest.listingId !== verified.listingId && (
        <details>
          <summary>All offers</summary>
          <p>
            Lowest of all offers <Price offer={lowest} query={of.price} name="lowest" />, on{' '}
            {lowest.verification === 'unverified' ? 'an' : 'a'} {lowest.verification} machine:{' '}
            <Timing timing={timing} offer={lowest} query={of.timing} />.
          </p>
        </details>
      )}
    </div>
  );
}

interface PriceProps {
  offer: JudgedOffer;
  query: string;
  name: 'lowest' | 'verified';
}

const Price = ({ offer: { usdPerGpuHour }, query, name }: PriceProps) => (
  <strong data-price={name} data-value={usdPerGpuHour}>
    <Explain query={query}>{formatUsd(usdPerGpuHour)}</Explain>
  </strong>
);

interface TimingProps {
  timing: PriceTiming | null;
  offer: JudgedOffer;
  query: string;
}

function Timing({ timing, offer, query }: TimingProps) {
  const newest = useContext(OwnTime);
  if (timing === null) {
    const { text, claim } = withoutTiming(offer.verdict);
    return (
      <>
        {text}: {claim}
      </>
    );
  }
  const { grade, text } = timing;
  return (
    <>
      <Graded grade={gradeLooks[grade]} query={query}>
        {text}
      </Graded>
      : {timingClaim(timing, { now: offer.usdPerGpuHour, newest })}
    </>
  );
}
