import { useEffect, useState } from 'preact/hooks';
import type { Quote, RankedOffer, RentRequest } from '../../core/api.ts';
import { problemOf } from '../../core/api-client.ts';
import type { App } from '../../core/app.ts';

/** Offers that are looked for in the market before none is offered. */
const maxTried = 3;

/** The best offer that the market still has. */
export interface NextBest {
  /** null: none of those that were tried. */
  item: RankedOffer | null;
  /** null: the market did not answer. */
  quote: Quote | null;
}

/**
 * Looks in the market for the first ranked offers that are neither gone nor outliers, until it has one; null: not known
 * yet. Those that it no longer has are noted as gone.
 */
export function useNextBest(
  app: App,
  request: RentRequest,
  items: readonly RankedOffer[] | null,
): NextBest | null {
  const [found, setFound] = useState<(NextBest & { key: string }) | null>(null);
  const key = items === null ? null : `${request.offerId} ${items.map(({ offerId }) => offerId)}`;
  useEffect(() => {
    if (key === null || items === null) return;
    const candidates = items.filter(({ offerId, isOutlier }) => !app.gone.has(offerId) && isOutlier !== true);
    const controller = new AbortController();
    const { signal } = controller;
    async function look(asked: string): Promise<void> {
      for (const item of candidates.slice(0, maxTried)) {
        try {
          const quote = await app.api.createQuote(
            { body: { ...request, offerId: item.offerId } },
            { signal },
          );
          if (!signal.aborted) setFound({ key: asked, item, quote });
          return;
        } catch (error) {
          if (signal.aborted) return;
          if (problemOf(error).status !== 410) {
            setFound({ key: asked, item, quote: null });
            return;
          }
          app.gone.set(item.offerId, 'missing');
        }
      }
      setFound({ key: asked, item: null, quote: null });
    }
    void look(key);
    return () => controller.abort();
  }, [app, key]);
  return found !== null && found.key === key ? found : null;
}
