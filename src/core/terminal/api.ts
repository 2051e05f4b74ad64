/** Query parameters of a request: undefined ones are left out, a list is repeated. */
export type Query = Readonly<
  Record<string, string | number | boolean | readonly (string | number)[] | undefined>
>;

/** What a request sends besides its path. */
export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  query?: Query;
  /** Sent as JSON. */
  body?: object;
  headers?: Record<string, string>;
}

/** The HTTP API for commands. A status of 400 or more throws, and is reported when the command ends. */
export interface Api {
  /** Returns the response as parsed JSON; null if it has no content. */
  request: <T>(path: string, options?: RequestOptions) => Promise<T>;
  /** As `request`, but returns null for a 404. */
  find: <T>(path: string) => Promise<T | null>;
  /** Returns the response itself, for streams. */
  open: (path: string, options?: RequestOptions) => Promise<Response>;
}
