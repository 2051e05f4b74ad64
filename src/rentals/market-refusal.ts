import { MarketError } from '../core/errors.ts';
import { ApiProblem } from '../core/http/problem.ts';

/** Statuses by which a market says no to what it was asked, and not that it or the key is at fault. */
const refusing = new Set([400, 402, 409, 410, 422]);

const isRefusal = ({ kind, outcome, httpStatus }: MarketError): boolean =>
  kind === 'http' && outcome === 'refused' && httpStatus !== null && refusing.has(httpStatus);

/**
 * What the failure of a call of the market means for whoever asked: a thing that is not there, an offer that is gone,
 * a change that the market refuses, or else a market that failed.
 */
export function marketProblem(error: MarketError, isChange: boolean): ApiProblem {
  const { kind, outcome, message } = error;
  if (outcome === 'refused' && kind === 'not_found') return new ApiProblem(404, 'not-found', message);
  if (outcome === 'refused' && kind === 'offer-gone') return new ApiProblem(410, 'offer-gone', message);
  if (isChange && isRefusal(error)) return new ApiProblem(409, 'market-refused', message);
  return new ApiProblem(502, 'market-error', message);
}

/** Asks the market. What it refuses because of what it was asked is a 400 that names the fields that it was given. */
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
