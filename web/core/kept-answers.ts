// The service worker knows these two names too: web/service-worker/kept-answers.ts.
const answersCache = 'offerbook-answers';
const keptHeader = 'x-offerbook-kept-at';

const keptSince = new WeakMap<object, string>();

/** Whether a response is one that the service worker had kept, because there was no server. */
export const isKept = ({ headers }: Response): boolean => headers.has(keptHeader);

/** Remembers of an answer whether the service worker had kept it, because there was no server. */
export function noteKept(answer: unknown, { headers }: Response): void {
  const at = headers.get(keptHeader);
  if (at !== null && typeof answer === 'object' && answer !== null) keptSince.set(answer, at);
}

/** Returns since when an answer was kept, of several the oldest; null: it is fresh. */
export function keptAtOf(answer: unknown): string | null {
  if (Array.isArray(answer))
    return (
      answer
        .map(keptAtOf)
        .filter((at) => at !== null)
        .sort()[0] ?? null
    );
  return typeof answer === 'object' && answer !== null ? (keptSince.get(answer) ?? null) : null;
}

/** Deletes the kept answers, so that nobody else sees them in this browser. */
export async function forgetAnswers(window: Window & typeof globalThis): Promise<void> {
  // Only secure contexts have caches.
  if ('caches' in window) await window.caches.delete(answersCache).catch(() => false);
}
