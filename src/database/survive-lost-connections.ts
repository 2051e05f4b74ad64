import { isDatabaseUnreachable } from './unreachable.ts';

/**
 * Keeps a process alive when a connection fails for which nobody waits: the driver reads the types of each new
 * connection by a query of its own, whose error it hands to nobody. Any other unhandled error ends the process.
 */
export function surviveLostConnections(program: Pick<NodeJS.Process, 'on'>): void {
  program.on('unhandledRejection', (error) => {
    if (!isDatabaseUnreachable(error)) throw error;
  });
}
