import { z } from 'zod';
import { rankingMetrics } from '../../core/metric.ts';
import { pricingTypes } from '../../core/offer.ts';
import { defineTool } from './tool.ts';
import { asAsked, filterFields, marketField, usd, viewOf } from './tool-fields.ts';

const explain = defineTool({
  name: 'explain_price',
  title: 'Explain a price',
  description:
    'How a figure of a listing was computed: its verdict against history, its place in the ranking, or the listing itself. For its place give the same conditions as to find_deals.',
  needs: 'viewer',
  input: {
    ...filterFields,
    ...marketField,
    listingId: z.string().describe('Listing, as find_deals shows it'),
    of: z.enum(['verdict', 'ranking', 'listing']).optional().describe('Which figure; default verdict'),
    days: z.enum(['7', '30', '90']).optional().describe('History of a verdict, days; default 30'),
    by: z.enum(rankingMetrics).optional().describe('Of a ranking: what is ranked; default usdPerDlperfHour'),
    storageGb: z.number().min(0).optional().describe('Disk to price, GB; default 8, as verdicts always have'),
  },
  output: {
    of: z.string(),
    text: z.array(z.string()),
    formula: z.string(),
    unit: z.string().nullable(),
    taken: z.int(),
    rejected: z.array(z.object({ reason: z.string(), rows: z.int() })),
    agrees: z.boolean().describe('Whether the figure computed again is the same'),
  },
  ask: async ({ api }, { of = 'verdict', days = '30', ...ranking }) => {
    const { listingId, by, storageGb } = ranking;
    if (of === 'ranking') return await api.explainFigure({ ...ranking, of });
    if (by !== undefined) throw new Error('`by` is of a ranking: leave it out, or give `of` = `ranking`.');
    if (of === 'listing') return await api.explainFigure({ of, listingId, storageGb });
    const { market, type } = await api.getListing({ id: listingId });
    return await api.explainFigure({ of, listingId, days, market: [market], type: [type] });
  },
  words: ({ text, taken, agrees }) =>
    `${text.join(' ')} ${taken} rows were taken; computed again it is ${agrees ? 'the same' : 'different'}.`,
  page: ({ of, days: _, listingId, ...ranking }) =>
    of === 'ranking'
      ? viewOf('/deals', { ...ranking, ...asAsked })
      : viewOf(`/listings/${listingId}`, { market: ranking.market, storageGb: ranking.storageGb }),
});

const drops = z.object({
  status: z.string(),
  cases: z.int(),
  drops: z.array(
    z.object({
      percent: z.number(),
      chance: z.number().nullable().describe('0 to 1; null: too few cases'),
      medianHours: z.number().nullable(),
    }),
  ),
});

const wait = defineTool({
  name: 'wait_or_rent',
  title: 'Wait or rent',
  description:
    'How often a cheaper offer appeared within so many hours in the past: over all books, and over those with a price like the one now.',
  needs: 'viewer',
  input: {
    ...filterFields,
    ...marketField,
    type: z.enum(pricingTypes).optional().describe('Pricing type; default on-demand'),
    hours: z.int().min(1).max(168).optional().describe('Hours until the work must begin; default 24'),
    storageGb: z.number().min(0).optional().describe('Disk to price, GB; default 8'),
  },
  output: {
    market: z.string(),
    observedAt: z.string().nullable(),
    type: z.string(),
    hours: z.int(),
    unit: z.string(),
    priceNow: z.number().nullable(),
    percentileNow: z.number().nullable(),
    overall: drops,
    similar: drops,
  },
  ask: async ({ api }, params) => await api.getWaitOrRent(params),
  words: ({ priceNow, hours, overall, similar }) => {
    const { status, cases, drops: chances } = similar.status === 'ok' ? similar : overall;
    const now = `The lowest price now is ${usd(priceNow)}/hour.`;
    if (status !== 'ok') return `${now} There is too little history to say whether to wait (${cases} cases).`;
    const words = chances.map(
      ({ percent, chance }) => `${percent}% cheaper ${percentOf(chance)} of the time`,
    );
    return `${now} Within ${hours} hours there was an offer ${words.join(', ')}.`;
  },
  // With hours the page opens the chances.
  page: ({ hours = 24, ...params }) => viewOf('/deals', { ...params, hours, ...asAsked }),
});

const percentOf = (chance: number | null): string =>
  chance === null ? 'unknown' : `${Math.round(chance * 100)}%`;

/** Tools that say what a price means. */
export const adviceTools = [explain, wait];
