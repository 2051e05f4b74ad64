import { Socket } from 'node:net';
import type postgres from 'postgres';

/** Where the driver connects to, as it has read it. */
export type Place = Pick<postgres.Options<Record<string, never>>, 'path' | 'ssl'> & {
  host: readonly string[];
  port: readonly number[];
};

/** Whether a place is one socket without TLS, as `openSocket` opens it; others are left to the driver. */
export const isPlainPlace = ({ ssl, host }: Place): boolean => !ssl && host.length === 1;

/**
 * The socket of a driver's connection. The driver takes queries for a connection between the error of its socket and
 * the socket's end, and forgets them there: they are never answered, or with the answer to a later query. Here the end
 * of a socket that failed is told as an error once more, which rejects them.
 */
export function openSocket({ path, host: [host = 'localhost'], port: [port = 5432] }: Place): Socket {
  const socket = new Socket();
  // A query is several small messages: over TCP each would wait 40 ms for the acknowledgement of the one before.
  socket.setNoDelay(true);
  const emit = socket.emit.bind(socket) as (event: string, ...args: unknown[]) => boolean;
  let failure: unknown = null;
  socket.emit = (event: string, ...args: unknown[]) => {
    if (event === 'error') [failure] = args;
    if (event === 'close' && failure !== null) emit('error', failure);
    return emit(event, ...args);
  };
  return typeof path === 'string' ? socket.connect(path) : socket.connect(port, host);
}
