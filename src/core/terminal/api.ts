import type { Client, OpenOptions } from '../../../client/client.js';

/**
 * The HTTP API for commands: the client of a server, with a function for each operation. A status of 400 or more throws,
 * and is reported when the command ends.
 */
export interface Api extends Client {
  /** Returns the response to a request by path as parsed JSON; null if it has no content. */
  request: <T>(path: string, options?: RequestOptions) => Promise<T>;
  /** As `request`, but returns null for a 404. */
  find: <T>(path: string) => Promise<T | null>;
}

/** What a request sends besides its path. */
export interface RequestOptions extends OpenOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
}
