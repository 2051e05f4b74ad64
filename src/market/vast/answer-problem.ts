import type { MarketErrorKind } from '../../core/errors.ts';
import type { SettingNames } from '../setting-names.ts';
import { holdsPhrase, type Problem, type Saying } from '../wire/problem.ts';
import type { Dialect } from './dialect.ts';

/** The settings of the market, and which of them the key comes from: for messages. */
export interface KeySource {
  names: SettingNames;
  key: 'apiKey' | 'actApiKey';
}

/** Returns what status and text of a response say about key, limits and objects; null: nothing specific. */
export function findNamedProblem(
  {
    endpoint,
    status,
    hasErrorBody,
    isThrottled,
  }: { endpoint: string; status: number; hasErrorBody: boolean; isThrottled: boolean },
  { said, code }: Saying,
  { dialect, source }: { dialect: Dialect; source: KeySource },
): Problem | null {
  const inWords = said === '' ? '' : ` (${said})`;
  if (isThrottled) {
    const message = `: too many requests${inWords}; ${slowDown(endpoint, source)}`;
    return { kind: 'rate_limited', message, retry: 'throttled' };
  }
  const never = (kind: MarketErrorKind, message: string): Problem => ({ kind, message, retry: 'never' });
  const isSuccess = status >= 200 && status < 300;
  const { auth, errors } = dialect;
  const namesKey = (status === 404 || (isSuccess && hasErrorBody)) && holdsPhrase(said, auth.phrases);
  if (auth.statuses.includes(status) || namesKey) {
    return never('auth', `: the key was refused or lacks the right${inWords}; ${keyHint(source)}`);
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

const slowDown = (endpoint: string, { names }: KeySource): string =>
  endpoint === 'searchOffers'
    ? 'lower SEARCHES_PER_MINUTE'
    : `raise minIntervalSeconds.${endpoint} in ${names.dialect}`;

const keyHint = ({ names, key }: KeySource): string =>
  key === 'apiKey'
    ? `check ${names.apiKey}`
    : `check ${names.actApiKey}; an instance's own key may only stop, start or destroy that instance`;
