import type { PriceChange } from '../../src/prices/index/index-change.ts';
import { summarizeVerdict } from '../../src/prices/verdicts/verdict-words.ts';
import type { Report, ReportItem } from '../../src/watches/reports/report.ts';

/** A model name as somebody might list it who means ill. */
export const nastyName = '<script>alert(1)</script> [x](https://evil.example) <!channel> @everyone';

const sampleVerdict = summarizeVerdict({
  windows: [
    {
      ...{ days: 30, percentile: 4, status: 'ok', samples: 480, machines: 41, hosts: 12, coverage: 1 },
      ...{ missing: [], pricedDays: 30, lowerDays: 2 },
    },
  ],
  ...{ comparableNow: { percentile: 3, offers: 60 }, usdPerGpuHour: 0.3, usual: null },
  segment: { gpuName: 'RTX 4090', verification: 'verified' },
});

function item(rank: number, values: Partial<ReportItem> = {}): ReportItem {
  return {
    ...{ market: 'simulator', canRent: true },
    ...{ rank, offerId: 4710 + rank, listingId: String(rank), machineId: 11 + rank, hostId: 7 },
    ...{ gpuName: 'RTX 4090', numGpus: 1, type: 'on-demand', verification: 'verified', country: 'DE' },
    ...{ reliability: 0.99, value: 0.3, usdPerHour: 0.3, usdPerGpuHour: 0.3, allInUsdPerHour: 0.31 },
    ...{ isOutlier: false, verdict: sampleVerdict },
    ...{ change: 'down', previousUsdPerHour: 0.35, url: `https://offerbook.example/?quote=${4710 + rank}` },
    ...values,
  };
}

const change = (days: number, values: Partial<PriceChange>): PriceChange => ({
  ...{
    days,
    percent: null,
    stderrPercent: null,
    medianPercent: null,
    mixPercent: null,
    status: 'insufficient',
    words: 'too few machines to compare',
  },
  ...values,
});

const oneMarket = { market: 'simulator', markets: ['simulator'] };
const coverage = { books: 168, complete: 166, partial: 1, failed: 1 };
const availability = { offers: 2, gpus: 3, machines: 2, daysOfLast30: 21 };

/** A report with everything in it. */
export function sampleReport(): Report {
  return {
    watch: { id: '0199c0de-0000-7000-8000-00000000000a', name: 'cheap ones', ...oneMarket },
    ...{ at: '2026-07-30T08:00:00.000Z', observedAt: '2026-07-30T07:07:00.000Z', bookVerdict: 'complete' },
    ...{ dataAgeMinutes: 53, coverage },
    books: [
      {
        ...{ market: 'simulator', observedAt: '2026-07-30T07:07:00.000Z', bookVerdict: 'complete' },
        ...{ dataAgeMinutes: 53, coverage, ...availability },
      },
    ],
    ...{ by: 'usdPerGpuHour', unit: 'USD/GPU/hour' },
    ranking:
      'Ranked by price per GPU ($/GPU-hour), cheapest first. Considered: RTX 4090, on-demand, verified, min reliability 98%, prices with 8 GB of disk.',
    ...{ availability, unranked: [] },
    since: '2026-07-29T08:00:00.000Z',
    items: [
      item(1, { gpuName: nastyName }),
      item(2, {
        gpuName: '=HYPERLINK("https://evil.example")',
        numGpus: 2,
        value: 0.31,
        usdPerHour: 0.62,
        usdPerGpuHour: 0.31,
        allInUsdPerHour: 0.63,
        change: 'new',
        previousUsdPerHour: null,
      }),
    ],
    gone: [
      { market: 'simulator', offerId: 1, machineId: 2, gpuName: nastyName, numGpus: 1, usdPerHour: 0.2 },
    ],
    trends: [
      {
        ...{ market: 'simulator', gpuName: 'RTX 4090', type: 'on-demand' },
        points: [0.41, 0.4, null, 0.38, 0.36, 0.37, 0.35].map((median, day) => ({
          t: `2026-07-${23 + day}T00:00:00.000Z`,
          median,
        })),
        changes: [
          change(1, {
            percent: 0.2,
            stderrPercent: 0.1,
            medianPercent: 1.5,
            mixPercent: 1.3,
            status: 'steady',
            words: 'prices steady',
          }),
          change(7, {
            percent: -2.4,
            stderrPercent: 0.3,
            medianPercent: 0.7,
            mixPercent: 3.1,
            status: 'clear',
            words: 'prices fell',
          }),
          change(27, {}),
        ],
        forecast: {
          ...{ days: 7, status: 'withheld', value: null, low: null, high: null, candidate: null },
          ...{
            meanErrorPercent: 2.2,
            naiveErrorPercent: 2.1,
            coverage: 0.8,
            origins: 40,
            missingDays: 0,
            usualMovePercent: 3.14,
          },
        },
        sentences: [
          '1 day: prices like for like steady; mix of machines +1.3 points.',
          '7 days: prices like for like -2.4% ± 0.3; mix of machines +3.1 points.',
          '27 days: too few machines to compare.',
          "Median in 7 days: no forecast beats today's price; in 8 of 10 weeks it moved by less than ±3.1%.",
        ],
      },
    ],
    waits: [
      {
        ...{
          market: 'simulator',
          hours: 24,
          type: 'on-demand',
          status: 'ok',
          books: 900,
          cases: 42,
          neededCases: 30,
        },
        drops: [{ percent: 5, chance: 0.7, medianHours: 3 }],
        sentence:
          'Wait or rent (on-demand)? In 7 of 10 past periods of 24 hours an offer at least 5% below the lowest price appeared, usually after 3 hours (42 periods).',
      },
    ],
    url: 'https://offerbook.example/',
  };
}
