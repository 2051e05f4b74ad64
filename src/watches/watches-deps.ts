import type { Context } from 'hono';
import type { Credential } from '../core/http/credential.ts';
import type { SpendDeps } from '../spend/spend-deps.ts';
import type { NotifyAccess } from './channels/notify-access.ts';

/** Dependencies of the routes of watches. */
export interface WatchesDeps extends SpendDeps {
  /** Address of the page for browsers; no slash at the end. */
  publicUrl: string;
  /** Returns the name of the market whose offers can be rented; null: there is none. */
  rentsIn: () => Promise<string | null>;
  /** What notices are sent with; opened on first use. */
  notify: () => Promise<NotifyAccess>;
  /** Sends waiting deliveries soon; resolves at once if a worker does it. */
  deliver: () => Promise<void>;
  /** Returns the owner of a token; null: nobody. Throws a 429 for an address that has guessed too often. */
  findReader: (c: Context, token: string) => Promise<Credential | null>;
}
