import type { MachineRecord } from './api.ts';
import { countOf, formatCount } from './figures.ts';
import { formatLength } from './times.ts';

type PlaceRecord = MachineRecord['machine'];

/** Returns how long the listings of a place stay listed, and what that rests on; says so if it is unknown. */
export function staysSentence(place: PlaceRecord, neededStays: number): string {
  const { listings, machines, listedNow, readListings, stays, medianListedHours } = place;
  const seen = `${countOf(listings, 'listing')} on ${countOf(machines, 'machine')} seen, ${formatCount(listedNow)} listed now${
    readListings < listings ? ` of the ${formatCount(readListings)} seen last` : ''
  }.`;
  if (medianListedHours === null) {
    return `${seen} How soon one is gone is unknown: ${stays} of the ${neededStays} needed were seen from first to last.`;
  }
  return `${seen} One is usually gone after about ${formatLength(medianListedHours * 60)} (median of ${stays}): rented, or taken back by the host.`;
}

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
