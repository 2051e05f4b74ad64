import type { Quote, QuotedOffer } from '../../core/api.ts';
import { afterEndWords, endsIn } from '../../core/ending-words.ts';
import { formatCount, formatGb, formatShare, formatUsd, formatVram } from '../../core/figures.ts';
import { countryName } from '../../parts/country.tsx';
import { type Fact, Facts } from '../../parts/facts.tsx';
import { Moment } from '../../parts/moment.tsx';
import { VerdictSentence } from '../../parts/verdict-sentence.tsx';
import { hoursLeft } from './use-fitting-hours.ts';

/** Returns what a quote is for: `H100 SXM × 4`. */
export const offerTitle = ({ gpuName, numGpus }: QuotedOffer): string => `${gpuName} × ${numGpus}`;

const unknown = 'unknown';

/** Returns a known value in words. */
const known = <T,>(value: T | null, words: (value: T) => string): string =>
  value === null ? unknown : words(value);

const network = (mbits: number | null, usdPerGb: number | null): string =>
  `${known(mbits, (value) => `${formatCount(Math.round(value))} Mbit/s`)}, ${known(usdPerGb, (usd) => `${formatUsd(usd)} per GB`)}`;

/** The machine of a quote: what it has, where it is, and whether its price is low. Unknown facts are shown as unknown. */
export function MachineCard({ quote }: { quote: Quote }) {
  const { offer, listed, endsAt } = quote;
  const left = hoursLeft(quote);
  const facts: Fact[] = [
    ['gpus', 'GPUs', offerTitle(offer)],
    ['vram', 'VRAM', vramWords(offer)],
    [
      'cpu',
      'CPU',
      known(
        offer.cpuCores,
        (cores) => `${formatCount(cores)} cores in the whole machine; the offer’s share is not known`,
      ),
    ],
    ['ram', 'RAM', known(offer.cpuRamMb, (size) => `${formatGb(size)} for this offer`)],
    [
      'diskSpace',
      'Disk available',
      known(offer.diskSpaceGb, (size) => `${formatCount(Math.floor(size))} GB`),
    ],
    ['download', 'Download', network(offer.inetDown, offer.inetDownUsdPerGb)],
    ['upload', 'Upload', network(offer.inetUp, offer.inetUpUsdPerGb)],
    ['cuda', 'CUDA', known(offer.cudaMaxGood, (version) => `up to ${version}`)],
    [
      'country',
      'Location',
      `${known(offer.country, countryName)}${offer.datacenter === true ? ', datacenter' : ''}`,
    ],
    ['verification', 'Verification', offer.verification ?? unknown],
    ['reliability', 'Reliability', known(offer.reliability, formatShare)],
    [
      'endsAt',
      'Longest rental',
      left === null ? (
        unknown
      ) : (
        <>
          {endsIn(left)}, until <Moment t={endsAt} relative={false} />.{' '}
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
    ['host', 'Host', known(offer.hostId, String)],
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

function vramWords({ gpuRamMb, numGpus }: QuotedOffer): string {
  if (gpuRamMb === null) return unknown;
  return numGpus === 1
    ? formatVram(gpuRamMb)
    : `${formatVram(gpuRamMb)} per GPU, ${formatVram(gpuRamMb, numGpus)} together`;
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
