import { useEffect } from 'preact/hooks';
import { listLowestVerdicts } from '../../../client/operations.js';
import type { App } from '../../core/app.ts';
import { chosenTypes } from '../../core/chosen-types.ts';
import { namedMarkets } from '../../core/market-choice.ts';
import { pathTo } from '../../core/path-to.ts';
import { useAnswer } from '../../core/use-answer.ts';
import { useLookedAt } from '../../core/use-looked-at.ts';
import { maxModelsOf } from './trend-request.ts';

/** The parameter that draws all models together, since no model means the pinned or the most listed one. */
export const togetherName = 'models';

/** Whether a query says what to draw. */
export const isChosen = (query: URLSearchParams): boolean =>
  query.has('gpuName') || query.get(togetherName) === 'all';

/**
 * Completes an address that names no model: with the pinned models, else the one that the reader looked at last, else
 * the one with the most GPUs listed, else all.
 * `gpuNames`: what the markets list; null while it is unknown.
 */
export function useOpeningModels(app: App, query: URLSearchParams, gpuNames: readonly string[] | null): void {
  const { address, pinned, lastModel } = app;
  const own = app.status.state.value.data?.market.name;
  const markets = namedMarkets(query);
  const isOpening = gpuNames !== null && !isChosen(query);
  const shown = markets.length === 0 && own !== undefined ? [own] : markets;
  useLookedAt(app, shown, query.getAll('gpuName'));
  const isListed = (name: string): boolean => gpuNames?.includes(name) === true;
  const known = [...new Set(shown.flatMap(pinned.of))].filter(isListed);
  const last = shown.flatMap((market) => lastModel.of(market) ?? []).filter(isListed);
  const kept = isOpening ? (known.length > 0 ? known : last.slice(0, 1)).slice(0, maxModelsOf(query)) : [];
  const asked = { market: markets, type: chosenTypes(query) };
  const isAsked = isOpening && kept.length === 0;
  const { data, problem } = useAnswer(app, isAsked ? pathTo(listLowestVerdicts, asked) : null);
  const most = data?.items[0]?.gpuName;
  const first = kept.length > 0 ? kept : most === undefined ? [] : [most];
  const isReady = isOpening && (kept.length > 0 || data !== null || problem !== null);
  const chosen = first.join('\n');
  useEffect(() => {
    if (!isReady) return;
    address.complete(chosen === '' ? { [togetherName]: 'all' } : { gpuName: chosen.split('\n') });
  }, [isReady, chosen]);
}
