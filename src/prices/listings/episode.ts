/** Why an episode ended; `chunkTaken`: a smaller offer of the same machine explains it. */
export type EpisodeEnd = 'gone' | 'repriced' | 'chunkTaken';

/** Consecutive covering books that held a listing. */
export interface SeenSpan {
  listingId: number;
  numGpus: number;
  ordinal: number;
  firstAt: Date;
  /** The last such book. */
  lastAt: Date;
  /** The next covering book, which lacks the listing; null: there is none yet. */
  firstMissAt: Date | null;
  /** Whether it has been missing long enough to count as gone. */
  gone: boolean;
}

/** A listing's price from one book until the next price. */
export interface AskedPrice {
  listingId: number;
  validFrom: Date;
  /** The previous covering book; null: there is none. */
  previousBookAt: Date | null;
  /** $/GPU/hour at the listed 8 GB; null: the price of storage is unknown. */
  usdPerGpuHour: number | null;
}

/** A listing on the market at one price. */
export interface Episode {
  listingId: number;
  startedAt: Date;
  /** The last book that held it at this price. */
  lastSeenAt: Date;
  /** For `gone` the first book without it, for `repriced` the first at the other price; null: ongoing. */
  endedAt: Date | null;
  endedBy: EpisodeEnd | null;
  lastAskUsdPerGpuHour: number | null;
}

interface Stay {
  listingId: number;
  numGpus: number;
  ordinal: number;
  startedAt: Date;
  lastSeenAt: Date;
  goneAt: Date | null;
  spans: SeenSpan[];
}

/**
 * Returns the episodes of all listings of a machine in time order. `spans` and `asks` are of one scope and pricing
 * type. Of offers that vanish in the same book the smallest is gone and the others were taken with it, as one event.
 * Source: docs/meaning.md#gone-and-episodes.
 */
export function deriveEpisodes(spans: readonly SeenSpan[], asks: readonly AskedPrice[]): Episode[] {
  const stays = [...Map.groupBy(spans, ({ listingId }) => listingId).values()].flatMap(joinStays);
  const vanished = Map.groupBy(
    stays.filter(({ goneAt }) => goneAt !== null),
    ({ goneAt }) => goneAt?.getTime(),
  );
  const taken = new Set([...vanished.values()].flatMap((together) => together.sort(bySize).slice(1)));
  const asksOf = Map.groupBy(asks, ({ listingId }) => listingId);
  return stays
    .flatMap((stay) => splitByPrice(stay, asksOf.get(stay.listingId) ?? [], taken.has(stay)))
    .sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime() || a.listingId - b.listingId);
}

const bySize = (a: Stay, b: Stay): number =>
  a.numGpus - b.numGpus || a.ordinal - b.ordinal || a.listingId - b.listingId;

/** Joins spans with only a short absence between them into one stay. */
function joinStays(spans: readonly SeenSpan[]): Stay[] {
  const stays: Stay[] = [];
  for (const span of [...spans].sort((a, b) => a.firstAt.getTime() - b.firstAt.getTime())) {
    const open = stays.at(-1);
    if (open !== undefined && open.goneAt === null) {
      open.spans.push(span);
      open.lastSeenAt = span.lastAt;
      open.goneAt = span.gone ? span.firstMissAt : null;
      continue;
    }
    const { listingId, numGpus, ordinal, firstAt, lastAt } = span;
    const goneAt = span.gone ? span.firstMissAt : null;
    stays.push({
      listingId,
      numGpus,
      ordinal,
      startedAt: firstAt,
      lastSeenAt: lastAt,
      goneAt,
      spans: [span],
    });
  }
  return stays;
}

function splitByPrice(stay: Stay, asks: readonly AskedPrice[], isTaken: boolean): Episode[] {
  const sorted = [...asks].sort((a, b) => a.validFrom.getTime() - b.validFrom.getTime());
  const before = sorted.filter(({ validFrom }) => validFrom <= stay.startedAt).at(-1);
  const later = sorted.filter(({ validFrom }) => validFrom > stay.startedAt && validFrom <= stay.lastSeenAt);
  const episodes: Episode[] = [];
  let startedAt = stay.startedAt;
  let ask = before?.usdPerGpuHour ?? null;
  for (const next of later) {
    // Other changes, such as the price of traffic, leave the asking price unchanged.
    if (next.usdPerGpuHour === ask) continue;
    episodes.push({
      listingId: stay.listingId,
      startedAt,
      lastSeenAt: lastSightingBefore(stay.spans, next) ?? startedAt,
      endedAt: next.validFrom,
      endedBy: 'repriced',
      lastAskUsdPerGpuHour: ask,
    });
    startedAt = next.validFrom;
    ask = next.usdPerGpuHour;
  }
  const endedBy = stay.goneAt === null ? null : isTaken ? 'chunkTaken' : 'gone';
  episodes.push({
    listingId: stay.listingId,
    startedAt,
    lastSeenAt: stay.lastSeenAt,
    endedAt: stay.goneAt,
    endedBy,
    lastAskUsdPerGpuHour: ask,
  });
  return episodes;
}

/** Returns the last book before a price that held the listing; null: none is known. */
function lastSightingBefore(
  spans: readonly SeenSpan[],
  { validFrom, previousBookAt }: AskedPrice,
): Date | null {
  const last = spans.filter(({ firstAt }) => firstAt < validFrom).at(-1);
  if (last === undefined) return null;
  return last.lastAt < validFrom ? last.lastAt : previousBookAt;
}
