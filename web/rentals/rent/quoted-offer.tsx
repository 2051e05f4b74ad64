import type { QuotedOffer } from '../../core/api.ts';
import { formatCount, formatShare, formatUsd } from '../../core/figures.ts';
import { countryName } from '../../parts/country.tsx';
import { type Fact, Facts } from '../../parts/facts.tsx';

/** Returns what a quote is for: `H100 SXM × 4`. */
export const offerTitle = ({ gpuName, numGpus }: QuotedOffer): string => `${gpuName} × ${numGpus}`;

const unknown = 'unknown';

/** The facts about the quoted offer; what the market does not state is shown as unknown. */
export function QuotedOfferFacts({ offer, diskGb }: { offer: QuotedOffer; diskGb: number | null }) {
  const facts: Fact[] = [
    ['gpus', 'GPUs', offerTitle(offer)],
    ['offer', 'Offer', String(offer.offerId)],
    ['machine', 'Machine', String(offer.machineId)],
    ['host', 'Host', offer.hostId === null ? unknown : String(offer.hostId)],
    ['country', 'Country', offer.country === null ? unknown : countryName(offer.country)],
    ['reliability', 'Reliability', offer.reliability === null ? unknown : formatShare(offer.reliability)],
    ['verification', 'Verification', offer.verification ?? unknown],
    ['disk', 'Disk', diskGb === null ? unknown : `${formatCount(diskGb)} GB`],
    ['download', 'Download', perGb(offer.inetDownUsdPerGb)],
    ['upload', 'Upload', perGb(offer.inetUpUsdPerGb)],
  ];
  return <Facts facts={facts} />;
}

const perGb = (usd: number | null): string => (usd === null ? unknown : `${formatUsd(usd)} per GB`);
