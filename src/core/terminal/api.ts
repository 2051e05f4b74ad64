/** Parameters of a request: left out where undefined; a list is repeated. */
export type Query = Readonly<
  Record<string, string | number | boolean | readonly (string | number)[] | undefined>
>;

/** What is sent besides the path. */
export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  query?: Query;
  /** Sent as JSON. */
  body?: object;
  headers?: Record<string, string>;
}

/** The HTTP API as a command asks it. A status from 400 on is thrown, and said once the command ends. */
export interface Api {
  /** The answer as parsed JSON; null where it has no content. */
  request: <T>(path: string, options?: RequestOptions) => Promise<T>;
  /** The same; null where there is nothing under this address (404). */
  find: <T>(path: string) => Promise<T | null>;
  /** The answer itself, for streams. */
  open: (path: string, options?: RequestOptions) => Promise<Response>;
}
