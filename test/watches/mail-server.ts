import { onTestFinished } from 'vitest';
import { type MailServer, openMailServer } from '../support/open-mail-server.ts';

/** A real SMTP server until the test ends; refuses the recipients that `refuse` names by then, with that code. */
export async function startMailServer(options?: { refuse?: Record<string, number> }): Promise<MailServer> {
  const server = await openMailServer(options);
  onTestFinished(server.close);
  return server;
}
