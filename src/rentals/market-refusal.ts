import { MarketError } from '../core/errors.ts';
import { ApiProblem } from '../core/http/problem.ts';

/** Statuses with which a market refuses a request, as opposed to a failure of the market or the key. */
const refusing = new Set([400, 402, 409, 410, 422]);

const isRefusal = ({ kind, outcome, httpStatus }: MarketError): boolean =>
  kind === 'http' && outcome === 'refused' && httpStatus !== null && refusing.has(httpStatus);

/**
 * Returns what a failed call of the market means for the requester: an unknown thing, a gone offer, a refused change,
 * or else a failed market.
 */
export function marketProblem(error: MarketError, isChange: boolean): ApiProblem {
  const { kind, outcome, message } = error;
  if (outcome === 'refused' && kind === 'not_found') return new ApiProblem(404, 'not-found', message);
  if (outcome === 'refused' && kind === 'offer-gone') return new ApiProblem(410, 'offer-gone', message);
  if (isChange && isRefusal(error)) return new ApiProblem(409, 'market-refused', message);
  return new ApiProblem(502, 'market-error', message);
}

/** Calls the market. If it refuses because of the request's content, the error is a 400 that names the given fields. */
export async function callMarket<T>(given: object, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const isOfContent =
      error instanceof MarketError && isRefusal(error) && /^invalid/.test(error.code ?? 'invalid');
    if (!isOfContent || (error.httpStatus !== 400 && error.httpStatus !== 422)) throw error;
    const names = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    const errors = names.map((name) => ({ name, detail: 'may be what the market refuses' }));
    throw new ApiProblem(400, 'market-refused', error.message, { errors, cause: error });
  }
}
