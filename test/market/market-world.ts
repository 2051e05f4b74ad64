/** A market of one kind that answers, for a test: `world.ts` of the kind's folder here exports one as `world`. */
export interface MarketWorld {
  /** Starts it with at least 20 offers of each of the kind's types; it is stopped when the test ends. */
  start: () => Promise<{ url: string; apiKey: string | null }>;
}
