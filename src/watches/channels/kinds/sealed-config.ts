import { z } from 'zod';
import type { SecretBox } from '../secret-box.ts';
import type { ChannelAdapter } from './adapter.ts';

/** The stored fields of a channel that relate to its secret. */
interface SealedChannel {
  id: string;
  config: Readonly<Record<string, unknown>>;
  /** null: it has none. */
  secret: string | null;
}

/** A channel ready to send. */
export interface OpenedChannel {
  config: Record<string, unknown>;
  /** null: the channel has none. */
  secret: string | null;
}

const begin = '{"v":2,';
const sealedForm = z.object({
  v: z.literal(2),
  secret: z.string().nullable(),
  config: z.record(z.string(), z.unknown()),
});
/** The end of a shorter secret would reveal too much. */
const minHintedCharacters = 12;

/** Returns a config as it may be shown: secrets reduced to their host and end. */
export function showConfig(
  { hidden = [] }: Pick<ChannelAdapter, 'hidden'>,
  config: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name, hidden.includes(name) ? hintOf(value) : value]),
  );
}

/** `https://host/…abcd` for an address, `…abcd` for other text; a hint stays as it is. */
export function hintOf(value: unknown): unknown {
  if (typeof value !== 'string' || isHint(value)) return value;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url !== null && url.pathname === '/' && url.search === '') return value;
  const secret = url === null ? value : value.slice(url.origin.length + 1);
  const end = secret.length < minHintedCharacters ? '' : secret.slice(-4);
  return `${url === null ? '' : `${url.origin}/`}…${end}`;
}

/** Whether a value is a hint that stands for a secret. */
export const isHint = (value: unknown): boolean => typeof value === 'string' && value.includes('…');

/** Returns what is stored of a channel: the config as it may be shown, and all secrets sealed together. */
export function sealChannel(
  adapter: ChannelAdapter,
  box: SecretBox,
  id: string,
  { config, secret }: OpenedChannel,
): Omit<SealedChannel, 'id'> {
  const hidden = Object.fromEntries(
    Object.entries(config).filter(([name]) => adapter.hidden?.includes(name) === true),
  );
  if (Object.keys(hidden).length === 0)
    return { config, secret: secret === null ? null : box.seal(secret, id) };
  const text = JSON.stringify({ v: 2, secret, config: hidden });
  return { config: showConfig(adapter, config), secret: box.seal(text, id) };
}

/** Opens a stored channel, also of an earlier version; null: sealed with another key. */
export function openChannel(
  box: SecretBox,
  { id, config, secret: sealed }: SealedChannel,
): OpenedChannel | null {
  if (sealed === null) return { config: { ...config }, secret: null };
  const text = box.open(sealed, id);
  if (text === null) return null;
  if (!text.startsWith(begin)) return { config: { ...config }, secret: text };
  const opened = sealedForm.parse(JSON.parse(text));
  return { config: { ...config, ...opened.config }, secret: opened.secret };
}
