/** What a search names by its number. */
export interface Numbered {
  kind: 'machine' | 'listing';
  number: string;
}

/** Returns the machine or listing that a search names: `48213`, `machine 48213`, `listing 1014`; null: none. */
export function numberedIn(text: string): Numbered | null {
  const [, word = 'machine', number] = /^\s*(?:(machine|listing)\s*)?#?(\d{2,15})\s*$/i.exec(text) ?? [];
  if (number === undefined) return null;
  return { kind: word.toLowerCase() === 'listing' ? 'listing' : 'machine', number: String(Number(number)) };
}

/** Returns the offers of a machine as they are listed: on-demand first, then bids; the cheapest of a type first. */
export const inOrder = <Offer extends { type: string; usdPerHour: number | null }>(
  offers: readonly Offer[],
): Offer[] =>
  offers.toSorted(
    (a, b) =>
      Number(a.type === 'bid') - Number(b.type === 'bid') ||
      (a.type < b.type ? -1 : a.type > b.type ? 1 : (a.usdPerHour ?? 0) - (b.usdPerHour ?? 0)),
  );
