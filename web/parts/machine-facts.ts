import type { QuotedOffer } from '../core/api.ts';
import { formatCount, formatGb, formatUsd, formatVram } from '../core/figures.ts';
import type { Fact } from './facts.tsx';

/** What an offer states about its machine. */
type Stated = Pick<
  QuotedOffer,
  | 'numGpus'
  | 'gpuRamMb'
  | 'cpuCores'
  | 'cpuCoresEffective'
  | 'cpuRamMb'
  | 'diskSpaceGb'
  | 'inetDown'
  | 'inetUp'
  | 'inetDownUsdPerGb'
  | 'inetUpUsdPerGb'
>;

/** Returns a value in words, or that the market does not state it. */
export const stated = <T>(value: T | null, words: (value: T) => string): string =>
  value === null ? 'not stated' : words(value);

/** Returns what traffic costs, `free` or `$0.004000 per GB`; null: the market does not state it. */
export const trafficPrice = (usdPerGb: number | null): string =>
  stated(usdPerGb, (usd) => (usd === 0 ? 'free' : `${formatUsd(usd)} per GB`));

const network = (mbits: number | null, usdPerGb: number | null): string =>
  `${stated(mbits, (value) => `${formatCount(Math.round(value))} Mbit/s`)}, ${trafficPrice(usdPerGb)}`;

/** Returns memory, processor, disk and network of an offer, the same wherever it is shown. */
export const machineFacts = (offer: Stated): Fact[] => [
  ['vram', 'VRAM', stated(offer.gpuRamMb, (size) => vramWords(size, offer.numGpus))],
  ['diskSpace', 'Disk available', stated(offer.diskSpaceGb, (size) => `${formatCount(Math.floor(size))} GB`)],
  ['ram', 'RAM', stated(offer.cpuRamMb, (size) => `${formatGb(size)} for this offer`)],
  ['cpu', 'CPU', stated(offer.cpuCores, (cores) => coreWords(cores, offer.cpuCoresEffective))],
  ['download', 'Download', network(offer.inetDown, offer.inetDownUsdPerGb)],
  ['upload', 'Upload', network(offer.inetUp, offer.inetUpUsdPerGb)],
];

/** Returns how many cores the offer has, of those of the machine. */
const coreWords = (cores: number, own: number | null): string =>
  own === null
    ? `${formatCount(cores)} cores in the whole machine; the offer’s share is not known`
    : `${formatCount(own)} cores for this offer, of ${formatCount(cores)} in the machine`;

/** Returns the memory of GPUs, each and together where they are several; null: how many is unknown. */
export const vramWords = (mb: number, numGpus: number | null): string =>
  numGpus === 1
    ? formatVram(mb)
    : `${formatVram(mb)} per GPU${numGpus === null ? '' : `, ${formatVram(mb, numGpus)} together`}`;
