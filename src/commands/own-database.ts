import { UserError } from '../domain/errors.ts';
import type { CommandContext } from './context.ts';

/**
 * For commands that no server answers: where OFFERBOOK_URL names one, working on this machine's database instead would
 * pass for work on the server's. Throws a UserError that says where to go.
 */
export function requireOwnDatabase(context: CommandContext, command: string): void {
  const { serverUrl } = context.config();
  if (serverUrl === null) return;
  throw new UserError(
    `\`offerbook ${command}\` works on a database itself, and OFFERBOOK_URL is set to ${serverUrl}: run it on that ` +
      "server, or unset OFFERBOOK_URL for this machine's own database.",
  );
}
