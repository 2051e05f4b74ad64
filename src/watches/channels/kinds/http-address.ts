import { z } from 'zod';
import { isStorableLine } from '../../../core/storable-text.ts';
import type { ChannelAdapter } from './adapter.ts';
import { hintOf } from './sealed-config.ts';

/** An http or https address without a user in it. */
export const httpAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .max(2000)
  .refine(isStorableLine, 'must hold no control characters')
  .refine((text) => {
    // What is no address has been refused above.
    const url = URL.canParse(text) ? new URL(text) : null;
    return url === null || (url.username === '' && url.password === '');
  }, 'must hold no user or password');

/** For channels whose address is the secret itself: the address as secret, a hint of it in the config. */
function addressAsSecret(config: Record<string, unknown>) {
  const { url, ...rest } = config;
  if (typeof url !== 'string' || !URL.canParse(url) || new URL(url).pathname === '/') return null;
  return { config: { ...rest, url: hintOf(url) }, secret: url };
}

/** Why such an address is none; null: it is one. */
const addressProblem = (secret: string): string | null =>
  httpAddress.safeParse(secret).success ? null : 'must be an http or https address';

/** What a kind has whose address is its whole secret. `label`: of the address, on the page; `meaning`: what it is. */
export const whoseAddressIsSecret = (
  label: string,
  meaning: string,
): Pick<ChannelAdapter, 'fields' | 'config' | 'secret' | 'splitSecret' | 'secretProblem'> => ({
  fields: { url: { label } },
  config: z.strictObject({ url: httpAddress.optional() }),
  secret: { meaning, required: true },
  splitSecret: addressAsSecret,
  secretProblem: addressProblem,
});
