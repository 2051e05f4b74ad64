import type { Offer } from '../../core/offer.ts';
import { timeWords } from '../../core/time-words.ts';
import type { OfferExtras } from '../../market/account.ts';
import { findMinimumBidWarning } from './bids.ts';
import type { RentRequest } from './rent-request.ts';

/** A reason against a rental that does not prevent it. */
export interface QuoteWarning {
  /** Stable name. */
  kind:
    | 'vm-ssh-key'
    | 'disk-fixed'
    | 'ends-early'
    | 'disk-too-large'
    | 'deverified'
    | 'dear'
    | 'bid-at-minimum'
    | 'blocked';
  message: string;
}

interface WarningCase {
  offer: Offer;
  extras: OfferExtras;
  request: RentRequest;
  now: Date;
  /** Of the usage profile. */
  runningHours: number;
  /** Of the offer's segment; null: unknown. */
  p90UsdPerGpuHour: number | null;
  isBlocked: boolean;
}

const hourMs = 3_600_000;

/** Returns every warning of an offer's quote. Source: docs/meaning.md#quote. */
export function findWarnings(of: WarningCase): QuoteWarning[] {
  const { offer, extras, request, now, runningHours, p90UsdPerGpuHour: p90 } = of;
  const found: (QuoteWarning | null)[] = [
    extras.isVm === true
      ? {
          kind: 'vm-ssh-key',
          message:
            'It is a virtual machine: register an SSH key at the market before you rent it, or you cannot log in.',
        }
      : null,
    { kind: 'disk-fixed', message: `The disk of ${request.diskGb} GB cannot grow later.` },
    extras.endsAt !== null && extras.endsAt.getTime() - now.getTime() < runningHours * hourMs
      ? {
          kind: 'ends-early',
          message: `The host ends the offer at ${timeWords(extras.endsAt, now)}, before the ${runningHours} hours of the usage profile are over.`,
        }
      : null,
    offer.diskSpaceGb !== null && request.diskGb > offer.diskSpaceGb
      ? {
          kind: 'disk-too-large',
          message: `The machine has ${offer.diskSpaceGb} GB of disk, less than ${request.diskGb}.`,
        }
      : null,
    offer.verification === 'deverified'
      ? { kind: 'deverified', message: "The market revoked this machine's verification." }
      : null,
    p90 !== null && offer.baseUsdPerHour / offer.numGpus > p90
      ? {
          kind: 'dear',
          message: `Nine in ten comparable offers cost at most $${p90.toPrecision(3)}/GPU-hour.`,
        }
      : null,
    findMinimumBidWarning(request, offer),
    of.isBlocked ? { kind: 'blocked', message: 'The machine or its host is on the block list.' } : null,
  ];
  return found.filter((warning) => warning !== null);
}
