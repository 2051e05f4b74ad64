import type { Quote, QuotedOffer } from '../../core/api.ts';
import { afterEndWords, endsIn } from '../../core/ending-words.ts';
import { formatShare, formatUsd } from '../../core/figures.ts';
import { countryName } from '../../parts/country.tsx';
import { type Fact, Facts } from '../../parts/facts.tsx';
import { machineFacts, stated } from '../../parts/machine-facts.ts';
import { Moment } from '../../parts/moment.tsx';
import { VerdictSentence } from '../../parts/verdict-sentence.tsx';
import { hoursLeft } from './use-fitting-hours.ts';

/** Returns what a quote is for: `H100 SXM × 4`. */
export const offerTitle = ({ gpuName, numGpus }: QuotedOffer): string => `${gpuName} × ${numGpus}`;

/** Returns which machine it is, whose, where, and how much the market trusts it, in one line. */
export const machineWords = (offer: QuotedOffer): string =>
  [
    offer.machineId,
    `host ${stated(offer.hostId, String)}`,
    offer.country === null ? 'country not stated' : countryName(offer.country),
    offer.verification ?? 'verification not stated',
    `reliability ${stated(offer.reliability, formatShare)}`,
  ].join(', ');

/** The machine of a quote: what it has, where it is, and whether its price is low. What the market does not state is said so. */
export function MachineCard({ quote }: { quote: Quote }) {
  const { offer, listed, endsAt } = quote;
  const left = hoursLeft(quote);
  const facts: Fact[] = [
    ['gpus', 'GPUs', offerTitle(offer)],
    ...machineFacts(offer),
    ['cuda', 'CUDA', stated(offer.cudaMaxGood, (version) => `up to ${version}`)],
    [
      'country',
      'Country',
      `${stated(offer.country, countryName)}${offer.datacenter === true ? ', datacenter' : ''}`,
    ],
    ['verification', 'Verification', offer.verification ?? 'not stated'],
    ['reliability', 'Reliability', stated(offer.reliability, formatShare)],
    [
      'endsAt',
      'Host ends it',
      left === null ? (
        'not stated'
      ) : (
        <>
          in {endsIn(left)}, on <Moment t={endsAt} relative={false} />.{' '}
          <span class="soft">{afterEndWords}</span>
        </>
      ),
    ],
    [
      'machine',
      'Machine',
      listed === null ? (
        String(offer.machineId)
      ) : (
        <a href={`/listings/${listed.listingId}`} title="Price history, episodes and machine of this offer">
          {offer.machineId}
        </a>
      ),
    ],
    ['host', 'Host', stated(offer.hostId, String)],
  ];
  return (
    <section class="card" aria-label="Machine" id="machine">
      <Facts facts={facts} />
      {listed === null ? (
        <p class="judgement">The newest book does not list this offer, so there is no price verdict.</p>
      ) : (
        <VerdictSentence
          judged={{ ...listed, verdict: quote.verdict }}
          verified={quote.lowestVerified}
          priceQuery={null}
          market={null}
        >
          This offer:{' '}
        </VerdictSentence>
      )}
      <OwnDisk quote={quote} />
    </section>
  );
}

/** The price with the disk of the form, if that is not the disk with which prices are compared. */
function OwnDisk({ quote: { usdPerHour, instance, offer } }: { quote: Quote }) {
  if (usdPerHour === null || instance.diskGb === comparedGb) return null;
  return (
    <p class="caption" data-own-disk={instance.diskGb}>
      With the {instance.diskGb} GB of disk below it is {formatUsd(Number(usdPerHour) / offer.numGpus)} per
      GPU-hour; prices are compared with {comparedGb} GB each.
    </p>
  );
}

/** The disk of compared prices. Source: docs/meaning.md#prices-and-metrics. */
const comparedGb = 8;
