import type { Client, Operations } from '../../../client/client.js';

/**
 * Parameters as a person typed them: their names are those of the API, and any value may be text, or several texts,
 * which the server judges; its message then names the option.
 */
type Typed<T> = T extends AbortSignal
  ? T
  : T extends string | number | boolean
    ? T | string | readonly string[]
    : T extends readonly (infer Item)[]
      ? readonly Typed<Item>[] | Typed<Item>
      : T extends object
        ? { [Name in keyof T]: Typed<T[Name]> }
        : T;
type AllTyped<T extends unknown[]> = { [At in keyof T]: Typed<T[At]> };

/**
 * The HTTP API for commands: the client of a server, with a function for each operation. A status of 400 or more throws,
 * and is reported when the command ends.
 */
export type Api = Pick<Client, 'open'> & {
  [Name in keyof Operations]: (
    ...given: AllTyped<Parameters<Operations[Name]>>
  ) => ReturnType<Operations[Name]>;
};

/** The body of an operation, as a person typed it. */
export type BodyOf<Name extends keyof Operations> =
  NonNullable<Parameters<Api[Name]>[0]> extends { body?: infer Body } ? Body : never;

/** Returns what a request resolves to; null if the server answers with 404. */
export async function orNull<T>(request: Promise<T>): Promise<T | null> {
  return await request.catch((error: unknown) => {
    if (error instanceof Error && 'status' in error && error.status === 404) return null;
    throw error;
  });
}
