import { z } from 'zod';
import { buckets } from '../../core/bucket.ts';
import { defaultMetric, rankingMetrics, trendMetrics } from '../../core/metric.ts';
import { pricingTypes } from '../../core/offer.ts';
import { defineTool } from './tool.ts';
import { asAsked, filterFields, marketField, rangeFields, usd, viewOf } from './tool-fields.ts';

const price = z.number().nullable();
const observed = { observedAt: z.string().nullable(), bookVerdict: z.string().nullable() };

const overview = defineTool({
  name: 'market_overview',
  title: 'Market overview',
  description:
    'Every GPU model that is on offer now: median and lowest price per GPU and hour, supply, and how prices changed.',
  needs: 'viewer',
  input: {
    ...marketField,
    type: z.enum(pricingTypes).optional().describe('Pricing type; default on-demand'),
    gpuName: z.array(z.string()).optional().describe('Only these models; default all'),
  },
  output: {
    ...observed,
    type: z.string(),
    unit: z.string(),
    items: z.array(
      z.object({
        market: z.string(),
        gpuName: z.string(),
        offers: z.int(),
        machines: z.int(),
        median: price,
        lowest: price,
        changes: z.array(z.object({ days: z.int(), percent: price, status: z.string() })),
      }),
    ),
  },
  ask: async ({ api }, { gpuName, ...params }) => {
    const answer = await api.getMarketOverview(params);
    const isWanted = (name: string): boolean => gpuName === undefined || gpuName.includes(name);
    return { ...answer, items: answer.items.filter((item) => isWanted(item.gpuName)) };
  },
  words: ({ observedAt, type, items }, { gpuName }) => {
    if (observedAt === null) return 'There is no book yet.';
    if (items.length === 0) {
      return gpuName === undefined
        ? `Nothing is on offer ${type} at ${observedAt}.`
        : 'No model of that name is on offer; without gpuName all are listed.';
    }
    const shown = items
      .slice(0, 5)
      .map((item) => `${item.gpuName} median ${usd(item.median)}, lowest ${usd(item.lowest)}`);
    return `${items.length} models ${type} at ${observedAt}: ${shown.join('; ')} per GPU and hour.`;
  },
  // The page searches for one text.
  page: ({ market, type, gpuName = [] }) =>
    viewOf('/market', { market, type, q: gpuName.length === 1 ? gpuName : undefined }),
});

const trend = defineTool({
  name: 'price_trend',
  title: 'Price trend',
  description:
    'How the price of one GPU model moved: lowest, quartiles and median of each interval, with supply.',
  needs: 'viewer',
  input: {
    ...filterFields,
    ...marketField,
    ...rangeFields('30 days ago'),
    gpuName: z.string().describe('GPU model as the market spells it'),
    type: z.enum(pricingTypes).optional().describe('Pricing type; default on-demand'),
    metric: z.enum(trendMetrics).optional().describe(`Default ${defaultMetric}`),
    bucket: z.enum(buckets).optional().describe('Interval; default by the length of the range'),
  },
  output: {
    bucket: z.string(),
    from: z.string(),
    to: z.string(),
    metric: z.string(),
    unit: z.string(),
    key: z.string(),
    points: z.array(
      z.object({
        t: z.string(),
        offers: z.number(),
        min: price,
        p25: price,
        median: price,
        p75: price,
      }),
    ),
    coverage: z.object({ books: z.int(), complete: z.int() }),
  },
  keepLast: 'points',
  ask: async ({ api }, params) => {
    const { series, ...answer } = await api.getTrends(params);
    return { ...answer, key: '', points: [], ...series[0] };
  },
  words: ({ points, key, unit, bucket, coverage }) => {
    const known = points.filter(({ median }) => median !== null);
    const [first, last] = [known[0], known.at(-1)];
    if (first === undefined || last === undefined) return `No prices of ${key} in that time.`;
    return `${key}: median ${usd(first.median)} at ${first.t}, ${usd(last.median)} at ${last.t} (${unit}, intervals of ${bucket}, ${coverage.complete} complete books).`;
  },
  page: (params) => viewOf('/trends', params),
});

const deals = defineTool({
  name: 'find_deals',
  title: 'Find deals',
  description:
    'The cheapest offers that can be rented now and match the conditions, with how unusual each price is (percentile of its own history).',
  needs: 'viewer',
  input: {
    ...filterFields,
    ...marketField,
    by: z.enum(rankingMetrics).optional().describe('What is ranked; default usdPerDlperfHour'),
    storageGb: z.number().min(0).optional().describe('Disk to price, GB; default 8'),
    limit: z.int().min(1).max(20).optional().describe('Number of offers; default 5'),
  },
  output: {
    ...observed,
    by: z.string(),
    items: z.array(
      z.object({
        rank: z.int(),
        market: z.string(),
        offerId: z.int(),
        listingId: z.string(),
        machineId: z.int(),
        gpuName: z.string(),
        numGpus: z.int(),
        type: z.string(),
        usdPerHour: z.number(),
        usdPerGpuHour: z.number(),
        allInUsdPerHour: price,
        reliability: price,
        verification: z.string().nullable(),
        country: z.string().nullable(),
        isOutlier: z.boolean().nullable(),
        verdict: z
          .object({
            lowestInDays: z.int().nullable(),
            windows: z.array(z.object({ days: z.int(), percentile: price, status: z.string() })),
          })
          .nullable(),
      }),
    ),
  },
  ask: async ({ api }, params) => await api.getRankings({ ...params, limit: params.limit ?? 5 }),
  words: ({ observedAt, items }) =>
    items.length === 0
      ? 'No offer matches.'
      : `${items.length} offers of the book of ${observedAt}. The best is offer ${items[0]?.offerId}: ${items[0]?.numGpus} × ${items[0]?.gpuName} for ${usd(items[0]?.usdPerHour ?? null)}/hour. Ask for a quote before you rent.`,
  page: ({ limit: _, ...params }) => viewOf('/deals', { ...params, ...asAsked }),
});

/** Tools that read prices. */
export const marketTools = [overview, trend, deals];
