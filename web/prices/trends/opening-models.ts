import { useEffect } from 'preact/hooks';
import { listLowestVerdicts } from '../../../client/operations.js';
import type { App } from '../../core/app.ts';
import { namedMarkets } from '../../core/market-choice.ts';
import { pathTo } from '../../core/path-to.ts';
import { useAnswer } from '../../core/use-answer.ts';
import { chosenTypes, maxModelsOf } from './trend-request.ts';

/** The parameter that draws all models together, since no model means the pinned or the most listed one. */
export const togetherName = 'models';

/** Whether a query says what to draw. */
export const isChosen = (query: URLSearchParams): boolean =>
  query.has('gpuName') || query.get(togetherName) === 'all';

/**
 * Completes an address that names no model: with the pinned models, else the one with the most GPUs listed, else all.
 * `gpuNames`: what the markets list; null while it is unknown.
 */
export function useOpeningModels(app: App, query: URLSearchParams, gpuNames: readonly string[] | null): void {
  const { address, pinned } = app;
  const own = app.status.state.value.data?.market.name;
  const markets = namedMarkets(query);
  const isOpening = gpuNames !== null && !isChosen(query);
  const known = (markets.length === 0 && own !== undefined ? [own] : markets).flatMap(pinned.of);
  const kept = isOpening
    ? [...new Set(known)].filter((name) => gpuNames.includes(name)).slice(0, maxModelsOf(query))
    : [];
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
