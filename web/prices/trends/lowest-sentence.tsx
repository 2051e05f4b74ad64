import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import type { JudgedOffer, PriceTiming } from '../../core/api.ts';
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

/** A lowest price and whether it is low now. */
interface Judged {
  offer: JudgedOffer;
  timing: PriceTiming | null;
  of: Queries;
}

interface Props {
  /** The model. */
  children: ComponentChildren;
  /** Of the offers that a reader would rent, with their name, `reliable`; null: there is none. */
  best: (Judged & { name: string }) | null;
  /** Of all offers. */
  all: Judged;
  /** Whether the sentence says what its price is for; several have it said once below them. */
  isAlone: boolean;
}

/** What the prices of the sentences are for. */
export const pricedFor = 'per GPU-hour with 8 GB of disk';

/**
 * Whether it is a good time to rent a model, by the lowest price of reliable machines, or of verified ones, if there are
 * any; a lower price of another machine, judged by those of all machines, when opened.
 */
export function LowestSentence({ children, best, all, isAlone }: Props) {
  const { offer: lowest } = all;
  const unit = isAlone ? ` ${pricedFor}` : '';
  if (best === null) {
    return (
      <div class="judgement" data-listing={lowest.listingId} data-value={lowest.usdPerGpuHour}>
        <p>
          {children} lowest of all offers <Price {...all} name="lowest" />
          {unit}, <Timing {...all} />.{lowest.verification !== null && ' None is verified.'}
        </p>
      </div>
    );
  }
  return (
    <div class="judgement" data-listing={best.offer.listingId} data-value={best.offer.usdPerGpuHour}>
      <p>
        {children} lowest {best.name} <Price {...best} name="best" />
        {unit}, <Timing {...best} />.
      </p>
      {lowest.listingId !== best.offer.listingId && (
        <details>
          <summary>All offers</summary>
          <p>
            Lowest of all offers <Price {...all} name="lowest" />, on {machineWords(lowest)} machine:{' '}
            <Timing {...all} />.
          </p>
        </details>
      )}
    </div>
  );
}

/** Returns the verification of a machine that is less reliable, with its article: `an unverified`. */
function machineWords({ verification }: JudgedOffer): string {
  if (verification === null) return 'a less reliable';
  if (verification === 'verified') return 'a verified, but less reliable';
  return `${verification === 'unverified' ? 'an' : 'a'} ${verification}`;
}

interface PriceProps {
  name: 'lowest' | 'best';
}

const Price = ({ offer: { usdPerGpuHour }, of, name }: Judged & PriceProps) => (
  <strong data-price={name} data-value={usdPerGpuHour}>
    <Explain query={of.price}>{formatUsd(usdPerGpuHour)}</Explain>
  </strong>
);

function Timing({ timing, offer, of }: Judged) {
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
      <Graded grade={gradeLooks[grade]} query={of.timing}>
        {text}
      </Graded>
      : {timingClaim(timing, { now: offer.usdPerGpuHour, newest })}
    </>
  );
}
