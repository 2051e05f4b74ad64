import { z } from 'zod';
import type { SecretBox } from '../secret-box.ts';
import type { ChannelAdapter } from './adapter.ts';

/** What is stored of a channel that has to do with its secret. */
interface SealedChannel {
  id: string;
  config: Readonly<Record<string, unknown>>;
  /** null: it has none. */
  secret: string | null;
}

/** A channel as it is sent with. */
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
/** Of shorter ones the end would tell too much. */
const minHintedCharacters = 12;

/** How a config may be shown: what is secret in it as its host and its end alone. */
export function showConfig(
  { hidden = [] }: Pick<ChannelAdapter, 'hidden'>,
  config: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name, hidden.includes(name) ? hintOf(value) : value]),
  );
}

/** `https://host/…abcd` of an address, `…abcd` of other text; a hint stays as it is. */
export function hintOf(value: unknown): unknown {
  if (typeof value !== 'string' || isHint(value)) return value;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url !== null && url.pathname === '/' && url.search === '') return value;
  const secret = url === null ? value : value.slice(url.origin.length + 1);
  const end = secret.length < minHintedCharacters ? '' : secret.slice(-4);
  return `${url === null ? '' : `${url.origin}/`}…${end}`;
}

/** Whether a value is what is shown in place of a secret. */
export const isHint = (value: unknown): boolean => typeof value === 'string' && value.includes('…');

/** What is stored of a channel: its config as it may be shown, and all that is secret sealed together. */
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

/** A stored channel opened, also one of an earlier version; null: it was sealed with another key. */
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
