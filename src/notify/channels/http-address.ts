import { z } from 'zod';

/** An http or https address without a user in it. */
export const httpAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .max(2000)
  .refine((url) => {
    const { username, password } = new URL(url);
    return username === '' && password === '';
  }, 'must hold no user or password');

/** For channels whose address is the secret itself: the address as secret, its host alone in the config. */
export function addressAsSecret(config: Record<string, unknown>) {
  const { url, ...rest } = config;
  if (typeof url !== 'string' || !URL.canParse(url) || new URL(url).pathname === '/') return null;
  return { config: { ...rest, url: `${new URL(url).origin}/` }, secret: url };
}

/** Why such an address is none; null: it is one. */
export const addressProblem = (secret: string): string | null =>
  httpAddress.safeParse(secret).success ? null : 'must be an http or https address';
