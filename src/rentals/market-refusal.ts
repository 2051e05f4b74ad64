import { MarketError } from '../core/errors.ts';
import { ApiProblem } from '../core/http/problem.ts';
import { marketFailureWords } from '../core/market-failure-words.ts';

/** Statuses with which a market refuses a request, as opposed to a failure of the market or the key. */
const refusing = new Set([400, 402, 409, 410, 422]);

const isRefusal = ({ kind, outcome, httpStatus }: MarketError): boolean =>
  kind === 'http' && outcome === 'refused' && httpStatus !== null && refusing.has(httpStatus);

const isUnknown = ({ kind, outcome }: MarketError): boolean => kind === 'not_found' && outcome === 'refused';

/** Returns why the market refused a request, in its own words where it gave some. */
export function refusalWords(error: MarketError): string {
  if (!isRefusal(error)) return marketFailureWords(error);
  const { said, httpStatus } = error;
  return said === null
    ? `the market refused this with status ${httpStatus} and gave no reason.`
    : `the market refused this: ${said}`;
}

const answered = ({ said }: MarketError): string => (said === null ? '' : ` The market answered: ${said}`);

/**
 * Returns what a failed call of the market means for the requester: an unknown thing, a gone offer, a refused change,
 * or else a failed market.
 */
export function marketProblem(error: MarketError, isChange: boolean): ApiProblem {
  const { kind, outcome } = error;
  if (isUnknown(error)) {
    return new ApiProblem(404, 'not-found', `The market has nothing with this id.${answered(error)}`);
  }
  if (outcome === 'refused' && kind === 'offer-gone') {
    return new ApiProblem(410, 'offer-gone', `The offer is gone: choose another.${answered(error)}`);
  }
  if (isChange && isRefusal(error)) {
    return new ApiProblem(409, 'market-refused', sentence(refusalWords(error)));
  }
  return new ApiProblem(502, 'market-error', sentence(marketFailureWords(error)));
}

const sentence = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;

/** Calls the market. If it has no such thing, the error is a 404 with the sentence `unknown`. */
export async function callKnown<T>(unknown: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof MarketError && isUnknown(error))) throw error;
    throw new ApiProblem(404, 'not-found', `${unknown}${answered(error)}`, { cause: error });
  }
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
    throw new ApiProblem(400, 'market-refused', sentence(refusalWords(error)), { errors, cause: error });
  }
}
