import type { Offer } from '../../src/core/offer.ts';
import { readOfferRecord } from '../../src/market/vast/offer-record.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';

/** The simulator's offers at equidistant moments, stored for thousands of requests. */
export interface MarketFilm {
  stepS: number;
  /** One frame per moment, offers by id. */
  frames: readonly (readonly Offer[])[];
}

/** The search that shows everything a crawl of the default scope could see. */
const everything = {
  ...{ type: 'on-demand', limit: 1_000_000, order: [['id', 'asc']], allocated_storage: 8 },
  ...{ rentable: { eq: true }, rented: { eq: false } },
  verification: { in: ['verified', 'unverified', 'deverified'] },
};

/** Films a simulated market of about this many offers, from noon of 21 November 2026. */
export function filmMarket(options: {
  seed: number;
  offers: number;
  frames: number;
  stepS: number;
}): MarketFilm {
  const simulator = createSimulator({ seed: options.seed, offersPerType: options.offers, cap: 1_000_000 });
  const startMs = Date.parse('2026-11-21T12:00:00Z');
  const known = new Map<string, Offer>();
  const frames = Array.from({ length: options.frames }, (_, frame) => {
    const at = new Date(startMs + frame * options.stepS * 1000);
    const { status, body } = simulator.search(everything, at);
    if (status !== 200) throw new Error('the simulator refused to be filmed');
    return body.offers.map((record) => {
      const key = `${record.id} ${record.dph_total}`;
      const offer = known.get(key) ?? toOffer(record);
      known.set(key, offer);
      return offer;
    });
  });
  return { stepS: options.stepS, frames };
}

/** What came, went and changed price between two moments. */
export function turnover(
  before: readonly Offer[],
  after: readonly Offer[],
): Record<'came' | 'went' | 'repriced', number> {
  const prices = new Map(before.map((offer) => [offer.offerId, offer.listedUsdPerHour]));
  const still = after.filter(({ offerId }) => prices.has(offerId));
  const repriced = still.filter((offer) => prices.get(offer.offerId) !== offer.listedUsdPerHour);
  return {
    came: after.length - still.length,
    went: before.length - still.length,
    repriced: repriced.length,
  };
}

const idsOfFrames = new WeakMap<readonly Offer[], Float64Array>();

/** Ids of the offers in every one of these frames. */
export function idsThroughout({ frames }: MarketFilm, from: number, to: number): number[] {
  const [first, ...others] = frames.slice(from, to + 1).map(idsOf);
  const ids = Float64Array.from(first ?? []);
  let count = ids.length;
  for (const here of others) {
    let kept = 0;
    let at = 0;
    // Both ascend.
    for (let index = 0; index < count; index += 1) {
      const id = ids[index] ?? 0;
      while (at < here.length && (here[at] ?? 0) < id) at += 1;
      if (here[at] === id) ids[kept++] = id;
    }
    count = kept;
  }
  return [...ids.subarray(0, count)];
}

function idsOf(frame: readonly Offer[]): Float64Array {
  const ids = idsOfFrames.get(frame) ?? Float64Array.from(frame, ({ offerId }) => offerId);
  idsOfFrames.set(frame, ids);
  return ids;
}

function toOffer(record: unknown): Offer {
  const reading = readOfferRecord(record, 'on-demand');
  if (!reading.ok) throw new Error(`an offer of the simulator cannot be read: ${reading.rejected.reason}`);
  return { ...reading.offer, raw: '' };
}
