import type { Context } from 'hono';
import type { Credential } from '../core/http/credential.ts';
import type { SpendDeps } from '../spend/spend-deps.ts';
import type { NotifyAccess } from './channels/notify-access.ts';

/** What the routes of watches need. */
export interface WatchesDeps extends SpendDeps {
  /** Address under which browsers reach the page; no slash at the end. */
  publicUrl: string;
  /** What notices are sent with; opened on first use. */
  notify: () => Promise<NotifyAccess>;
  /** Has what waits in the outbox sent soon; resolves at once where a worker does it. */
  deliver: () => Promise<void>;
  /** Whose token this is; null: nobody's. Throws a 429 for an address that has guessed too often. */
  findReader: (c: Context, token: string) => Promise<Credential | null>;
}
