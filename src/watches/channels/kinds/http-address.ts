import { z } from 'zod';
import { isStorableLine } from '../../../core/storable-text.ts';
import type { ChannelAdapter } from './adapter.ts';
import { hintOf } from './sealed-config.ts';

/** An http or https address without a user in it. */
export const httpAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .max(2000)
  .refine(isStorableLine, 'must not contain control characters')
  .refine((text) => {
    // Invalid addresses were refused above.
    const url = URL.canParse(text) ? new URL(text) : null;
    return url === null || (url.username === '' && url.password === '');
  }, 'must not contain a user or password');

/** For kinds whose address is the secret: returns the address as secret and a hint of it in the config. */
function addressAsSecret(config: Record<string, unknown>) {
  const { url, ...rest } = config;
  if (typeof url !== 'string' || !URL.canParse(url) || new URL(url).pathname === '/') return null;
  return { config: { ...rest, url: hintOf(url) }, secret: url };
}

/** Returns why such an address is invalid; null: it is valid. */
const addressProblem = (secret: string): string | null =>
  httpAddress.safeParse(secret).success ? null : 'must be an http or https address';

/**
 * The common part of kinds whose address is the whole secret. `label` and `example` are those of its field on the page;
 * `meaning` says what it is.
 */
export const whoseAddressIsSecret = ({
  label,
  meaning,
  example,
}: {
  label: string;
  meaning: string;
  example: string;
}): Pick<ChannelAdapter, 'fields' | 'config' | 'secret' | 'splitSecret' | 'secretProblem'> => ({
  fields: { url: { label, example } },
  config: z.strictObject({ url: httpAddress.optional() }),
  secret: { meaning, required: true },
  splitSecret: addressAsSecret,
  secretProblem: addressProblem,
});
