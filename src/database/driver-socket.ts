import { Socket } from 'node:net';
import type postgres from 'postgres';

/** Where the driver connects to, as parsed. */
export type Place = Pick<postgres.Options<Record<string, never>>, 'path' | 'ssl'> & {
  host: readonly string[];
  port: readonly number[];
};

/** Whether the target is one socket without TLS, as `openSocket` opens it; other targets are left to the driver. */
export const isPlainPlace = ({ ssl, host }: Place): boolean => !ssl && host.length === 1;

/** Number of open connections of a pool; null: the driver opens them itself. */
export interface SocketCount {
  open: number | null;
}

/** Counts a socket from its connection to its end. */
export function countSockets(socket: Socket, count: SocketCount): Socket {
  const add = (change: number): void => {
    count.open = (count.open ?? 0) + change;
  };
  return socket.once('connect', () => {
    add(1);
    socket.once('close', () => add(-1));
  });
}

/**
 * The socket of a driver's connection. Between a socket's error and its end the driver accepts queries and then loses
 * them, or answers them with a later response. Here the end of a failed socket is reported as another error, which
 * rejects them.
 */
export function openSocket({ path, host: [host = 'localhost'], port: [port = 5432] }: Place): Socket {
  const socket = new Socket();
  // A query is several small messages: over TCP each would wait 40 ms for the acknowledgment of the previous one.
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
