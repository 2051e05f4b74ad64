import { metrics, type RankingMetric } from '../../core/metric.ts';
import { filterEntries } from '../../core/offer-filter.ts';
import { formatLimit } from '../../core/usd-words.ts';
import { oneLine } from '../channels/notice.ts';
import { typesOfWatch, type Watch, type WatchFilters } from '../watch.ts';

/** Returns by what a report is ranked: `Ranked by price per GPU ($/GPU-hour), cheapest first.` */
export const rankedBy = (by: RankingMetric): string =>
  `Ranked by ${metrics[by].label} (${metrics[by].shownUnit}), cheapest first.`;

/** Returns by what the offers of a watch are ranked, and which it considers. */
export function rankingWords(by: RankingMetric, { filters, profile }: Watch): string {
  const models = filters.gpuName ?? [];
  const considered = [
    models.length === 0 ? 'all GPU models' : models.map((name) => oneLine(name, 100)).join(' or '),
    typesOfWatch(filters).join(' or '),
    ...conditionWords(filters),
    `prices with ${profile.storageGb} GB of disk`,
  ];
  return `${rankedBy(by)} Considered: ${considered.join(', ')}.`;
}

/** Returns what filters besides models and types require, in words: `min reliability 98%`. */
export const conditionWords = (filters: WatchFilters): string[] =>
  filterEntries.flatMap(([name, { label, unit = '', format }]) => {
    const value = filters[name];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return [];
    const words = typeof value === 'boolean' ? (value ? 'yes' : 'no') : [value].flat().join(' or ');
    if (name === 'verification') return [words];
    if (format === 'share') return [`${lowered(label)} ${Number((Number(value) * 100).toFixed(4))}%`];
    if (unit.startsWith('$')) return [`${lowered(label)} ${formatLimit(Number(value))}${unit.slice(1)}`];
    return [`${lowered(label)} ${words}${unit === '' ? '' : ` ${unit}`}`];
  });

/** `Min VRAM` within a sentence; abbreviations and names of units keep their capitals. */
const lowered = (label: string): string =>
  /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
