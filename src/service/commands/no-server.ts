import { UsageError } from '../../core/errors.ts';
import type { Config } from '../config.ts';

/**
 * Throws a UsageError if OFFERBOOK_URL is set, before anything is opened. Commands that work on this machine's database
 * or market call it, because their effect could be mistaken for one on that server.
 */
export function requireNoServer({ serverUrl }: Pick<Config, 'serverUrl'>): void {
  if (serverUrl === null) return;
  throw new UsageError(
    `This command needs direct access to the database, and OFFERBOOK_URL points to ${serverUrl}. Run it on that ` +
      "server, or unset OFFERBOOK_URL to use this machine's own database.",
  );
}
