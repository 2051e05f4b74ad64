import type { MachineRecord, PricingType } from './api.ts';
import { countOf, formatCount } from './figures.ts';
import { formatLength } from './times.ts';

type PlaceRecord = MachineRecord['machine'];

/** Returns how long the listings of a place stayed listed, and how often that was seen; says so if it is unknown. */
export function staysSentence(place: PlaceRecord, neededStays: number): string {
  const { listings, machines, listedNow, readListings, stays, medianListedHours } = place;
  const seen = `${countOf(listings, 'listing')} on ${countOf(machines, 'machine')} seen, ${formatCount(listedNow)} listed now${
    readListings < listings ? ` of the ${formatCount(readListings)} seen last` : ''
  }.`;
  if (medianListedHours === null) {
    return `${seen} How long one stays listed is not known yet: one was seen to appear and to disappear ${timesOf(stays)}, and ${neededStays} times are needed.`;
  }
  return `${seen} One was seen to appear and to disappear ${timesOf(stays)}; in between it was listed for ${formatLength(medianListedHours * 60)} (median of the ${stays}).`;
}

const timesOf = (count: number): string => (count === 1 ? 'once' : `${formatCount(count)} times`);

/** Returns what the end of a listing means, and that it ends no rental. */
export const listingEndWords = (type: PricingType): string =>
  `A listing disappears when someone rents the machine or its host withdraws it; the market does not say which. That ends no rental that runs: it may run until the offer’s end${type === 'bid' ? ', or until it is outbid' : ''}.`;

/** Returns how the account's own rentals at a place went, and how many instances it had there that were rented elsewhere. */
export function rentalsSentence({
  rentals,
  otherInstances,
}: Pick<PlaceRecord, 'rentals' | 'otherInstances'>): string {
  const other = `${countOf(otherInstances, 'instance')} there, rented elsewhere, not by Offerbook.`;
  if (rentals.made === 0)
    return otherInstances === 0 ? 'You have rented nothing there yet.' : `You have had ${other}`;
  return `${madeSentence(rentals)}${otherInstances === 0 ? '' : ` You have also had ${other}`}`;
}

function madeSentence({ made, ran, notRented, neverRan, wentDown }: PlaceRecord['rentals']): string {
  const failed = [
    ...(notRented === 0 ? [] : [`${formatCount(notRented)} not rented after all`]),
    ...(neverRan === 0 ? [] : [`${formatCount(neverRan)} never ran`]),
  ];
  const ended = made - ran - notRented - neverRan;
  const rest = [
    ran === 0 ? 'none has run yet' : `${formatCount(ran)} ran`,
    ...(failed.length === 0 ? [] : [`${formatCount(notRented + neverRan)} failed (${failed.join(', ')})`]),
    ...(ran === 0 || ended === 0 ? [] : [`${formatCount(ended)} starting or ended before`]),
    ...(ran === 0
      ? []
      : [wentDown === 0 ? 'none went down' : `${formatCount(wentDown)} went down while running`]),
  ];
  return `${countOf(made, 'rental')} of yours: ${rest.join(', ')}.`;
}
