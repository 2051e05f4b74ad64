import type { z } from 'zod';
import type { GuardedHttp } from '../guarded-http.ts';
import type { Notice } from '../notice.ts';
import type { PushKeys } from '../push-keys.sql.ts';
import type { SendEnd } from '../send-end.ts';

/** A message to send. */
export interface Outgoing {
  /** The delivery's id, the same in every repeat. */
  id: string;
  notice: Notice;
  /** Whether somebody had it sent again after it had ended. */
  isReplay: boolean;
  config: Readonly<Record<string, unknown>>;
  /** null: the channel has none. */
  secret: string | null;
}

/** What channels send with. */
export interface ChannelTools {
  http: GuardedHttp;
  /** null: SMTP_URL is not set. */
  smtpUrl: string | null;
  /** Sender of mails. */
  mailFrom: string;
  /** Folder that `file` channels write below. */
  filesDir: string;
  now: () => Date;
  push: PushTools;
}

/** What push messages to browsers are signed with. */
export interface PushTools {
  /** Returns the key pair; null: it was encrypted with another SECRETS_KEY. */
  keys: () => Promise<PushKeys | null>;
  /** How push services reach the operator: a `mailto:` address. */
  subject: string;
}

/** A field of a channel's config, as people see it. */
export interface ConfigField {
  label: string;
  /** A value that it could have; a form shows it while the field is empty. */
  example: string;
  /** The only values that it may have; the example is the one without a choice. @default any value */
  choices?: readonly string[];
  /** Whether it may have several values, separated by commas. @default one value */
  several?: true;
  /** @default required */
  optional?: true;
}

/** One kind of channel: a separate file and a line in the registry. */
export interface ChannelAdapter {
  /** Its name for people. */
  label: string;
  /** What a person needs before adding one, as a sentence. */
  needs: string;
  /** The config fields that a form asks for, by name. */
  fields: Readonly<Record<string, ConfigField>>;
  /** Names of config fields that are rarely needed: accepted, not asked for. @default none */
  seldom?: readonly string[];
  /** The schema of its config; secrets belong in `secret`. */
  config: z.ZodType<Record<string, unknown>>;
  /** What the secret is, and whether it is required; null: the kind has none. */
  secret: { meaning: string; required: boolean } | null;
  /** Names of config fields that are secret as well: sealed, never returned, shown as a hint. @default none */
  hidden?: readonly string[];
  /** Removes secrets from a config, for kinds whose address is the secret; null: the config has none. */
  splitSecret?: (
    config: Record<string, unknown>,
  ) => { config: Record<string, unknown>; secret: string } | null;
  /** Returns why a secret is invalid; null: it is valid. @default any text is valid */
  secretProblem?: (secret: string) => string | null;
  /** Returns a secret for a channel that was given none. @default none is generated */
  makeSecret?: () => string;
  /** Returns what to set before the kind can send, as a sentence; null: nothing. @default nothing is ever missing */
  missing?: (tools: ChannelTools) => string | null;
  /** Whether receivers can tell a replay, so that a whole day can be replayed. @default they cannot */
  marksReplays?: true;
  /** Sends and returns the result; never throws for the receiver's errors. */
  send: (outgoing: Outgoing, tools: ChannelTools) => Promise<SendEnd>;
}
