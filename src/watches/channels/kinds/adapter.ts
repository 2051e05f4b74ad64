import type { z } from 'zod';
import type { GuardedPost } from '../guarded-post.ts';
import type { Notice } from '../notice.ts';
import type { SendEnd } from '../send-end.ts';

/** What is sent. */
export interface Outgoing {
  /** The delivery's id: the same in every repeat. */
  id: string;
  notice: Notice;
  config: Readonly<Record<string, unknown>>;
  /** null: the channel has none. */
  secret: string | null;
}

/** What channels send with. */
export interface ChannelTools {
  http: GuardedPost;
  /** null: SMTP_URL is not set. */
  smtpUrl: string | null;
  /** Sender of mails. */
  mailFrom: string;
  /** Folder that `file` channels write below. */
  filesDir: string;
  now: () => Date;
}

/** A field of a channel's config, for people. */
export interface ConfigField {
  label: string;
  /** It may hold several values, separated by commas. @default one */
  several?: true;
  /** @default it has to be filled in */
  optional?: true;
}

/** One kind of channel: a file of its own, and a line in the registry. */
export interface ChannelAdapter {
  /** What people call it. */
  label: string;
  /** What of its config is asked for, by name. */
  fields: Readonly<Record<string, ConfigField>>;
  /** Names of its config that are seldom needed: taken, not asked for. @default none */
  seldom?: readonly string[];
  /** What its config may be; anything secret belongs into the secret. */
  config: z.ZodType<Record<string, unknown>>;
  /** What the secret is, for people, and whether there must be one; null: there is none. */
  secret: { meaning: string; required: boolean } | null;
  /** Names of its config that are secret as well: sealed, written but never read, shown as a hint. @default none */
  hidden?: readonly string[];
  /** Takes what is secret out of a config, as where the address itself is; null: the config is not changed. */
  splitSecret?: (
    config: Record<string, unknown>,
  ) => { config: Record<string, unknown>; secret: string } | null;
  /** Why the secret is none; null: it is one. @default any text is one */
  secretProblem?: (secret: string) => string | null;
  /** A secret for a channel that was given none. @default none is made */
  makeSecret?: () => string;
  /** Sends; says how it ended and does not throw for what the receiver does. */
  send: (outgoing: Outgoing, tools: ChannelTools) => Promise<SendEnd>;
}
