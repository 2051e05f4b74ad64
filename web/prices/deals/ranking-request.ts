import { choiceNames, pickParameters } from '../../parts/filter-fields.ts';

export const rankingKeys = [
  'usdPerDlperfHour',
  'usdPerGpuHour',
  'allInUsdPerHour',
  'usdPerGbVramHour',
  'usdPerTflopHour',
] as const;

/** What each figure ranks by, in words. */
export const figureNames: Record<string, string> = {
  usdPerDlperfHour: 'cost per dlperf',
  usdPerGpuHour: 'price per GPU-hour',
  allInUsdPerHour: 'all-in price of the job',
  usdPerGbVramHour: 'price per GB of VRAM',
  usdPerTflopHour: 'price per TFLOP',
};

/** The figure that a query ranks by. */
export const chosenKey = (query: URLSearchParams): string => query.get('by') ?? rankingKeys[0];

/** Path of the ranking that a query asks for. */
export function rankingPath(query: URLSearchParams, limit: number): string {
  const asked = pickParameters(query, choiceNames);
  asked.set('by', chosenKey(query));
  asked.set('limit', String(limit));
  return `/api/rankings?${asked}`;
}
