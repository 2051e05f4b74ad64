import type { MarketErrorKind } from '../../core/errors.ts';
import type { Dialect, EndpointName } from './dialect.ts';
import type { Failure } from './failure.ts';

/** The setting that a key comes from, for messages. */
export type KeySetting = 'MARKET_API_KEY' | 'MARKET_ACT_API_KEY';

/** What a failed answer means, apart from its status. */
export type Problem = Pick<Failure, 'kind' | 'message' | 'retry'>;

export const baseAddressHint = "is MARKET_URL the API's base address?";

/** An error body's words: `said` for people, `code` for programs. */
export interface Saying {
  said: string;
  code: string | null;
}

/** What the status and the words of an answer, known to be an error or not, say about key, limits and things. */
export function findNamedProblem(
  { status, hasErrorBody, isThrottled }: { status: number; hasErrorBody: boolean; isThrottled: boolean },
  { said, code }: Saying,
  { dialect, endpoint, keySetting }: { dialect: Dialect; endpoint: EndpointName; keySetting: KeySetting },
): Problem | null {
  const inWords = said === '' ? '' : ` (${said})`;
  if (isThrottled) {
    const message = `: too many requests${inWords}; ${slowDown(endpoint)}`;
    return { kind: 'rate_limited', message, retry: 'throttled' };
  }
  const never = (kind: MarketErrorKind, message: string): Problem => ({ kind, message, retry: 'never' });
  const isSuccess = status >= 200 && status < 300;
  const { auth, errors } = dialect;
  const namesKey = (status === 404 || (isSuccess && hasErrorBody)) && holdsPhrase(said, auth.phrases);
  if (auth.statuses.includes(status) || namesKey) {
    return never('auth', `: the key was refused or lacks the right${inWords}; ${keyHint(keySetting)}`);
  }
  const isError = !isSuccess || hasErrorBody;
  const isGone = endpoint === 'createInstance' && errors.offerGoneStatuses.includes(status);
  if (isGone || (isError && code !== null && errors.offerGoneCodes.includes(code))) {
    return never('offer-gone', `: the offer is gone${inWords}`);
  }
  if (isError && status < 500 && code !== null && errors.notFoundCodes.includes(code)) {
    return never('not_found', `: there is none${inWords}`);
  }
  return null;
}

/** Whether `text` holds one of the phrases, in any case. */
export const holdsPhrase = (text: string, phrases: readonly string[]): boolean =>
  phrases.some((phrase) => text.toLowerCase().includes(phrase.toLowerCase()));

const slowDown = (endpoint: EndpointName): string =>
  endpoint === 'searchOffers'
    ? 'lower SEARCHES_PER_MINUTE'
    : `raise minIntervalSeconds.${endpoint} in MARKET_DIALECT`;

const keyHint = (setting: KeySetting): string =>
  setting === 'MARKET_API_KEY'
    ? 'check MARKET_API_KEY'
    : "check MARKET_ACT_API_KEY; an instance's own key may only stop, start or destroy that instance";
