import { useEffect, useRef, useState } from 'preact/hooks';
import type { RentRequest } from '../../core/api.ts';
import { type Problem, problemOf } from '../../core/api-client.ts';
import type { App } from '../../core/app.ts';
import { isSame, type KnownQuote, nextQuote } from './quoted.ts';

/** How long the fields must stay the same before a quote is asked for. */
const settleMs = 400;
/** A quote is valid for 60 seconds. */
const renewMs = 30_000;

export interface Quoting {
  /** The newest quote of the offer, perhaps for the fields as they were; null: none yet. */
  known: KnownQuote | null;
  /** Whether the newest quote is for the fields as they are. */
  isCurrent: boolean;
  /** Why the newest quote failed; null: it did not. */
  problem: Problem | null;
  /** Asks for another quote now. */
  renew: () => void;
}

/**
 * Quotes a request: again once its fields have settled, and regularly while the page is visible. The previous quote
 * stays until the next one. While `isPaused`, nothing is asked.
 */
export function useQuote(app: App, request: RentRequest, isPaused: boolean): Quoting {
  const [known, setKnown] = useState<KnownQuote | null>(null);
  const [failed, setFailed] = useState<{ request: RentRequest; problem: Problem } | null>(null);
  const [turn, setTurn] = useState(0);
  const asked = useRef<string | null>(null);
  const key = JSON.stringify(request);
  const renew = () => setTurn((count) => count + 1);

  useEffect(() => {
    if (isPaused) return;
    const controller = new AbortController();
    const { signal } = controller;
    const isTyped = asked.current !== null && asked.current !== key;
    asked.current = key;
    async function ask(): Promise<void> {
      try {
        const quote = await app.api.createQuote({ body: request }, { signal });
        if (signal.aborted) return;
        setKnown((before) => nextQuote(before, { quote, request }));
        setFailed(null);
      } catch (error) {
        if (!signal.aborted) setFailed({ request, problem: problemOf(error) });
      }
    }
    const timer = setTimeout(() => void ask(), isTyped ? settleMs : 0);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [app, key, turn, isPaused]);

  const shown = known?.request.offerId === request.offerId ? known : null;
  // An offer that is gone is so whatever the fields say.
  const isGone = failed?.problem.status === 410 && failed.request.offerId === request.offerId;
  const problem = failed !== null && (isGone || isSame(failed.request, request)) ? failed.problem : null;
  useRenewal(renew, problem?.status === 410 ? null : (problem ?? shown));
  return { known: shown, isCurrent: shown !== null && isSame(shown.request, request), problem, renew };
}

/** Renews some time after each answer while the page is visible, or at once when it becomes visible again. */
function useRenewal(renew: () => void, answer: object | null): void {
  useEffect(() => {
    if (answer === null) return;
    let isDue = false;
    const renewIfDue = () => {
      if (isDue && document.visibilityState === 'visible') renew();
    };
    const timer = setTimeout(() => {
      isDue = true;
      renewIfDue();
    }, renewMs);
    document.addEventListener('visibilitychange', renewIfDue);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', renewIfDue);
    };
  }, [answer]);
}
