import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface MailServer {
  url: string;
  /** Mails as they came. */
  received: string[];
  /** Whom each was for. */
  recipients: string[][];
}

/** A real SMTP server on loopback; refuses the recipients that `refuse` names by then, with that code. */
export async function openMailServer(
  options: { refuse?: Record<string, number> } = {},
): Promise<MailServer & { close: () => Promise<void> }> {
  const received: string[] = [];
  const recipients: string[][] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onRcptTo: ({ address }, _session, callback) => {
      const responseCode = options.refuse?.[address];
      callback(responseCode === undefined ? null : Object.assign(new Error('not here'), { responseCode }));
    },
    onData: (stream, session, callback) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        received.push(Buffer.concat(parts).toString('utf8'));
        recipients.push(session.envelope.rcptTo.map(({ address }) => address));
        callback();
      });
    },
  });
  server.on('error', () => {});
  const listening = await new Promise<AddressInfo>((resolve) => {
    const under = server.listen(0, '127.0.0.1', () => resolve(under.address() as AddressInfo));
  });
  return {
    url: `smtp://127.0.0.1:${listening.port}`,
    received,
    recipients,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
