import { type Changes, changedQuery } from '../../core/address.ts';
import type { Rankings, Status, StoredMarket } from '../../core/api.ts';
import { countOf, formatCount } from '../../core/figures.ts';
import { shareText } from '../../core/filter-words.ts';
import { namedMarkets, shownMarkets } from '../../core/market-choice.ts';

type Trust = Status['trust'];

/** What the chosen markets state about how far to trust a machine. */
export interface StatedTrust {
  /** How many of them verify machines. */
  verification: 'all' | 'some' | 'none';
  reliability: boolean;
}

/** The least reliability of a reliable machine. */
const minReliable = 0.98;

const switchName = 'reliable';

/** Returns what a query's markets state; both as long as it is unknown. */
export function statedTrust(
  query: URLSearchParams,
  markets: readonly StoredMarket[] | null,
  status: Pick<Status, 'trust'> | null,
): StatedTrust {
  const own: readonly (Trust | null)[] = [status?.trust ?? null];
  const named = shownMarkets(query, markets ?? []).map(({ trust }) => trust);
  const each = (namedMarkets(query).length === 0 ? own : named).filter((trust) => trust !== null);
  if (each.length === 0) return { verification: 'all', reliability: true };
  const verifying = each.filter((trust) => trust.includes('verification')).length;
  return {
    verification: verifying === 0 ? 'none' : verifying === each.length ? 'all' : 'some',
    reliability: each.some((trust) => trust.includes('reliability')),
  };
}

/** Whether the markets state anything by which a machine can be called reliable. */
export const canBeReliable = ({ verification, reliability }: StatedTrust): boolean =>
  verification !== 'none' || reliability;

/** Whether only reliable offers are wanted: unless it is switched off, or a filter allows others. */
export function isReliable(query: URLSearchParams): boolean {
  return query.get(switchName) !== 'off' && contradicting(query).length === 0;
}

/** Which offers a price or count is of, other filters aside; the same words wherever it stands. */
export type OfferSet = 'reliable' | 'verified' | 'all offers';

/** Returns which offers a query asks for. */
export function offerSet(query: URLSearchParams, trust: StatedTrust): OfferSet {
  if (canBeReliable(trust) && isReliable(query)) return 'reliable';
  return String(query.getAll('verification')) === 'verified' ? 'verified' : 'all offers';
}

/** Formats a number of offers with what they are: `27 reliable`. */
export const countInSet = (count: number, set: OfferSet): string =>
  set === 'all offers' ? countOf(count, 'offer') : `${formatCount(count)} ${set}`;

/** Returns the names of the filters that allow offers which are not reliable. */
function contradicting(query: URLSearchParams): string[] {
  const tiers = query.getAll('verification');
  const least = query.get('minReliability');
  return [
    ...(tiers.some((tier) => tier !== 'verified') ? ['verification'] : []),
    ...(least !== null && Number(shareText(least)) < minReliable ? ['minReliability'] : []),
  ];
}

/** Returns the switch as a change of the address; switching it on removes the filters that allow others. */
export const reliableChanges = (query: URLSearchParams, on: boolean): Changes =>
  on
    ? Object.fromEntries([switchName, ...contradicting(query)].map((name) => [name, null]))
    : { [switchName]: 'off' };

/**
 * Returns edited filter fields as a change of the address, where the fields show what the switch stands for too: the
 * switch gives way to an edit that contradicts it, and the rest of what it stood for stays.
 */
export function editedChanges(query: URLSearchParams, trust: StatedTrust, edit: Changes): Changes {
  if (!canBeReliable(trust) || !isReliable(query)) return edit;
  const edited = changedQuery(askedQuery(query, trust), edit);
  const again = askedQuery(changedQuery(query, edit), trust);
  if (isReliable(changedQuery(query, edit)) && trustNames.every((name) => isSame(name, edited, again)))
    return edit;
  return {
    ...Object.fromEntries(trustNames.map((name) => [name, edited.getAll(name)])),
    ...edit,
    [switchName]: 'off',
  };
}

/** The filters that the switch stands for. */
const trustNames = ['verification', 'excludeVerification', 'minReliability'];

/** Returns a query without the filters that the switch stands for, if they are those of the switch; null: they are others. */
export function withoutReliable(query: URLSearchParams, trust: StatedTrust): URLSearchParams | null {
  const others = changedQuery(query, Object.fromEntries(trustNames.map((name) => [name, null])));
  const asked = askedQuery(changedQuery(others, { [switchName]: null }), trust);
  return canBeReliable(trust) && trustNames.every((name) => isSame(name, query, asked)) ? others : null;
}

/** Returns the query with which Deals shows the offers that another one asks for: by its switch, if these are reliable ones. */
export const dealsQuery = (query: URLSearchParams, trust: StatedTrust): URLSearchParams =>
  withoutReliable(query, trust) ?? changedQuery(query, { [switchName]: 'off' });

/** Whether filters say how far to trust a machine. */
export const asksTrust = (query: URLSearchParams): boolean => trustNames.some((name) => query.has(name));

const isSame = (name: string, one: URLSearchParams, other: URLSearchParams): boolean =>
  String(one.getAll(name)) === String(other.getAll(name));

/** Returns the query for the API: with the filters that the switch stands for, and deverified offers last without them. */
export function askedQuery(query: URLSearchParams, trust: StatedTrust): URLSearchParams {
  if (!canBeReliable(trust)) return query;
  if (!isReliable(query)) {
    // Whoever asks for deverified offers gets them in their place.
    const areWanted =
      query.has('deverifiedLast') ||
      query.getAll('verification').includes('deverified') ||
      query.get('sort') === 'verification';
    return trust.verification === 'none' || areWanted
      ? query
      : changedQuery(query, { deverifiedLast: 'true' });
  }
  return changedQuery(query, {
    ...(trust.verification === 'all' ? { verification: 'verified' } : {}),
    // A market that does not verify has no tier, which this keeps.
    ...(trust.verification === 'some' ? { excludeVerification: ['unverified', 'deverified'] } : {}),
    ...(trust.reliability ? { minReliability: query.get('minReliability') ?? `${minReliable}` } : {}),
  });
}

/** Returns what hides an offer while the switch is on. */
export function hidingWords({ verification, reliability }: StatedTrust): string {
  const words = [
    ...(verification === 'none' ? [] : ['not verified']),
    ...(reliability ? ['under 98% reliability'] : []),
  ];
  return words.join(' or ');
}

/** Returns how many offers only the answer without the switch has, ranked or not. */
export function hiddenOffers(
  shown: Pick<Rankings, 'total' | 'unranked'>,
  all: Pick<Rankings, 'total' | 'unranked'>,
): number {
  const count = ({ total, unranked }: Pick<Rankings, 'total' | 'unranked'>): number =>
    total + unranked.reduce((sum, { offers }) => sum + offers, 0);
  return Math.max(0, count(all) - count(shown));
}
