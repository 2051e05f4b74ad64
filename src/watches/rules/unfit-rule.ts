import { typesOfWatch, type WatchFilters } from '../watch.ts';
import type { RuleKind } from './rule.ts';

/** Returns what a watch with these filters lacks for a kind of rule, as the end of a sentence; null: nothing. */
export function unfitReason(kind: RuleKind, filters: WatchFilters): string | null {
  const types = typesOfWatch(filters);
  if (kind === 'bidSpread' && !(types.includes('bid') && types.includes('on-demand'))) {
    return 'bidSpread compares on-demand with bid: the filter `type` must have both';
  }
  if (kind === 'indexChange' && !(types.length === 1 && filters.gpuName?.length === 1)) {
    return 'indexChange needs exactly one model and one type';
  }
  return null;
}
