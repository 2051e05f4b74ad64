import { createServer } from 'node:net';
import { UserError } from '../core/errors.ts';

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses it',
  EACCES: 'this user may not; ports below 1024 are for root',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'there is no such host',
};

/** A port that cannot be listened on, in words. */
export function listenProblem(host: string, port: number, cause: NodeJS.ErrnoException): UserError {
  const reason = reasons[cause.code ?? ''] ?? cause.code ?? cause.message;
  return new UserError(`Cannot listen on ${host}:${port} (${reason}): choose another HOST or PORT.`, {
    cause,
  });
}

/** Throws a UserError if one of the ports cannot be listened on, before a start creates anything. */
export async function requireFreePorts(host: string, ports: readonly (number | null)[]): Promise<void> {
  for (const port of ports) {
    if (port === null || port === 0) continue;
    await new Promise<void>((resolve, reject) => {
      const server = createServer();
      server.once('error', (cause) => reject(listenProblem(host, port, cause)));
      server.listen({ host, port }, () => server.close(() => resolve()));
    });
  }
}
