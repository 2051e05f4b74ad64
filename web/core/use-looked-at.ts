import { useEffect } from 'preact/hooks';
import type { App } from './app.ts';

/** Remembers what a view is about if that is one model of one market. */
export function useLookedAt(app: App, markets: readonly string[], gpuNames: readonly string[]): void {
  const [market, ...otherMarkets] = markets;
  const [gpuName, ...others] = gpuNames;
  const isOne = otherMarkets.length === 0 && others.length === 0;
  useEffect(() => {
    if (isOne && market !== undefined && market !== '' && gpuName !== undefined)
      app.lastModel.look(market, gpuName);
  }, [app, isOne, market, gpuName]);
}
