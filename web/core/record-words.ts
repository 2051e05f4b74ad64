import type { MachineRecord, PricingType } from './api.ts';
import { countOf, formatCount } from './figures.ts';
import { formatLength } from './times.ts';

type PlaceRecord = MachineRecord['machine'];

/**
 * Returns how long the listings of a host, or of one of its machines, stayed listed, and how often that was seen; says so
 * if it is unknown.
 */
export function staysSentence(of: 'host' | 'machine', place: PlaceRecord, neededStays: number): string {
  const { listings, machines, listedNow, readListings, stays, medianListedHours } = place;
  const on = of === 'host' ? ` on ${countOf(machines, 'machine')}` : '';
  const seen = `Seen so far: ${countOf(listings, 'listing')}${on}; listed now: ${formatCount(listedNow)}${
    readListings < listings ? ` of the ${formatCount(readListings)} seen last` : ''
  }.`;
  const came = `${listings === 1 ? 'It' : 'Together they'} appeared and disappeared ${timesOf(stays)}`;
  if (medianListedHours === null)
    return `${seen} ${came}, too seldom to say how long a listing lasts: ${neededStays} times are needed.`;
  return `${seen} ${came}, listed for a median of ${formatLength(medianListedHours * 60)}.`;
}

const timesOf = (count: number): string => (count === 1 ? 'once' : `${formatCount(count)} times`);

/** Returns what the end of a listing means, and that it ends no rental. */
export const listingEndWords = (type: PricingType): string =>
  `A listing disappears when someone rents the machine or its host withdraws it; the market does not say which. That ends no rental that runs: it may run until the offer’s end${type === 'bid' ? ', or until it is outbid' : ''}.`;

/** Returns how the account's own rentals on a host, or on one of its machines, went, and how many other instances it had there. */
export function rentalsSentence(
  of: 'host' | 'machine',
  { rentals, otherInstances }: Pick<PlaceRecord, 'rentals' | 'otherInstances'>,
): string {
  const other = `${countOf(otherInstances, 'instance')} on this ${of}; ${otherInstances === 1 ? 'it was' : 'they were'} not rented by Offerbook.`;
  if (rentals.made === 0)
    return otherInstances === 0 ? 'You have rented nothing there yet.' : `You have had ${other}`;
  return `${madeSentence(rentals)}${otherInstances === 0 ? '' : ` You have also had ${other}`}`;
}

function madeSentence({ made, ran, notRented, neverRan, wentDown }: PlaceRecord['rentals']): string {
  const lead = `${countOf(made, 'rental')} of yours there`;
  const ended = made - ran - notRented - neverRan;
  if (made === 1 && ran === 0)
    return `${lead}: it ${ended === 1 ? 'has not run' : notRented === 1 ? 'failed: not rented after all' : 'failed: it never ran'}.`;
  const failed = [
    ...(notRented === 0 ? [] : [`${formatCount(notRented)} not rented after all`]),
    ...(neverRan === 0 ? [] : [`${formatCount(neverRan)} never ran`]),
  ];
  const rest = [
    ran === 0 ? 'none has run yet' : `${made === 1 ? 'it' : formatCount(ran)} ran${downWords(ran, wentDown)}`,
    ...(failed.length === 0 ? [] : [`${formatCount(notRented + neverRan)} failed (${failed.join(', ')})`]),
    ...(ran === 0 || ended === 0 ? [] : [`${formatCount(ended)} starting, or ended before running`]),
  ];
  return `${lead}: ${rest.join('; ')}.`;
}

function downWords(ran: number, wentDown: number): string {
  if (ran === 1) return wentDown === 0 ? ' and did not go down' : ' and went down while running';
  return `, ${wentDown === 0 ? 'none' : formatCount(wentDown)} of them went down while running`;
}
