import fc from 'fast-check';
import type { Offer, PricingType } from '../../../src/core/offer.ts';
import { unstatedFields } from '../../../src/core/offer-fields.ts';

/** A book to land; `complete` as declared, though an empty one is never complete. */
export interface SyntheticBook {
  observedAt: Date;
  type: PricingType;
  complete: boolean;
  /** Of a book that is not complete the models whose slice is. */
  slices: string[];
  offers: Offer[];
}

/** Books of a few days, oldest first, and an order to land them in: every index at least once, some again. */
export interface SyntheticHistory {
  books: SyntheticBook[];
  order: number[];
}

/** Places that an offer can come from: some share all but the ordinal, machines have several models and sizes. */
const slots = [
  { machineId: 1, gpuName: 'RTX 4090', numGpus: 1, gpuIds: [0] },
  { machineId: 1, gpuName: 'RTX 4090', numGpus: 1, gpuIds: [1] },
  { machineId: 1, gpuName: 'RTX 4090', numGpus: 2, gpuIds: [0, 1] },
  { machineId: 2, gpuName: 'RTX 4090', numGpus: 1, gpuIds: null },
  { machineId: 2, gpuName: 'H100 SXM', numGpus: 8, gpuIds: null },
  { machineId: 3, gpuName: 'H100 SXM', numGpus: 2, gpuIds: [3, 4] },
] as const;

/** How one place changed since the last book: small steps, so that thresholds are met, missed and crossed. */
const step = fc.record({
  present: fc.constantFrom(true, true, false),
  price: fc.constantFrom(0, 0, 1),
  storage: fc.constantFrom(0, 0, 0, 1),
  reliability: fc.constantFrom(0, 1, -1, 2),
  dlperf: fc.constantFrom(0, 1, -1, 3),
  bandwidth: fc.constantFrom(0, 1, -1),
  driver: fc.constantFrom(0, 0, 1),
  gpuIds: fc.constantFrom(0, 0, 1),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const models = [...new Set(slots.map(({ gpuName }) => gpuName))];

const book = fc.record({
  type: fc.constantFrom<PricingType>('on-demand', 'on-demand', 'on-demand', 'bid'),
  complete: fc.constantFrom(true, true, true, false),
  slices: fc.subarray(models),
  steps: fc.tuple(...slots.map(() => step)),
});

const firstHour = Date.parse('2026-03-01T00:00:00Z');
/** Every four hours of three days, and 20 minutes later: several books a day and an hour, and some days without. */
const moments = 3 * 6 * 2;
const stepMs = 4 * 3_600_000;
const pairMs = 20 * 60_000;
const momentOf = (place: number): Date =>
  new Date(firstHour + Math.floor(place / 2) * stepMs + (place % 2) * pairMs);

/** Up to `most` books at distinct moments. `sliced`: partial ones may be complete for some models. */
export function syntheticHistory(most: number, sliced = true): fc.Arbitrary<SyntheticHistory> {
  return fc
    .uniqueArray(fc.integer({ min: 0, max: moments - 1 }), { minLength: 2, maxLength: most })
    .chain((times) =>
      fc.record({
        times: fc.constant([...times].sort((a, b) => a - b)),
        books: fc.array(book, { minLength: times.length, maxLength: times.length }),
        order: fc.shuffledSubarray([...times.keys()], { minLength: times.length }),
        repeats: fc.array(fc.nat(times.length - 1), { maxLength: 2 }),
      }),
    )
    .map(({ times, books, order, repeats }) => ({
      books: unroll(times, sliced ? books : books.map((each) => ({ ...each, slices: [] }))),
      order: [...order, ...repeats],
    }));
}

function unroll(
  times: readonly number[],
  drawn: readonly { type: PricingType; complete: boolean; slices: string[]; steps: readonly Step[] }[],
): SyntheticBook[] {
  const states = slots.map(() => ({
    price: 2,
    storage: 0,
    reliability: 0,
    dlperf: 0,
    bandwidth: 0,
    driver: 0,
    gpuIds: 0,
  }));
  return drawn.map(({ type, complete, slices, steps }, place) => {
    const offers = slots.flatMap((slot, index) => {
      const [state, moved] = [states[index], steps[index]];
      if (state === undefined || moved === undefined) return [];
      for (const name of Object.keys(state) as (keyof typeof state)[]) state[name] += moved[name];
      return moved.present ? [makeOffer(slot, state, { type, offerId: place * 100 + index + 1 })] : [];
    });
    const observedAt = momentOf(times[place] ?? 0);
    return { observedAt, type, complete, slices: complete ? [] : slices, offers };
  });
}

function makeOffer(
  { machineId, gpuName, numGpus, gpuIds }: (typeof slots)[number],
  state: {
    price: number;
    storage: number;
    reliability: number;
    dlperf: number;
    bandwidth: number;
    driver: number;
    gpuIds: number;
  },
  { type, offerId }: { type: PricingType; offerId: number },
): Offer {
  // Two prices only: those of equal places meet often, and each comes back to what it was.
  const baseUsdPerHour = 0.1 * (1 + (state.price % 2));
  const storageUsdPerGbMonth = state.storage % 3 === 2 ? null : 0.1 + 0.05 * (state.storage % 3);
  const dlperf = state.dlperf % 7 === 6 ? null : 100 + state.dlperf;
  return {
    ...unstatedFields,
    ...{ offerId, machineId, gpuName, numGpus, type, baseUsdPerHour, storageUsdPerGbMonth, dlperf },
    hostId: machineId * 10,
    listedUsdPerHour: baseUsdPerHour,
    inetDownUsdPerGb: 0.01,
    inetUpUsdPerGb: null,
    minBidUsdPerHour: baseUsdPerHour / 2,
    discountedUsdPerHour: null,
    discountRate: null,
    reliability: 0.9 + 0.005 * state.reliability,
    gpuRamMb: 24_564,
    totalTflops: 82,
    country: state.driver % 2 === 0 ? 'DE' : 'US',
    verification: 'verified',
    cudaMaxGood: 12.4,
    driverVersion: `550.${state.driver}`,
    inetDown: 500 + 60 * state.bandwidth,
    inetUp: 500,
    datacenter: false,
    staticIp: null,
    diskSpaceGb: 1000,
    cpuCores: 16,
    cpuCoresEffective: 8,
    cpuRamMb: 64_000,
    gpuIds: gpuIds === null ? null : gpuIds.map((id) => id + 10 * (state.gpuIds % 2)),
    raw: JSON.stringify({ id: offerId, dph_base: baseUsdPerHour, state }),
  };
}
