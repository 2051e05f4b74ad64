import { UsageError } from '../../core/errors.ts';
import type { Config } from '../config.ts';

/**
 * For what works on this machine's database or market itself. Where OFFERBOOK_URL names a server, that would pass for
 * work on the server's. Throws a UsageError that says where to go, before anything is opened or made.
 */
export function requireNoServer({ serverUrl }: Pick<Config, 'serverUrl'>): void {
  if (serverUrl === null) return;
  throw new UsageError(
    `OFFERBOOK_URL is set to ${serverUrl}, and this command does not work over it: run it on that server, or unset ` +
      "OFFERBOOK_URL to use this machine's own settings and database.",
  );
}
