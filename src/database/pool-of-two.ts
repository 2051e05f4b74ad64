import { type DriverQuery, isDriverQuery } from './driver-query.ts';

/** The two ways to make a query: the client as a tagged template, and `unsafe`. */
type MakeQuery = (...args: unknown[]) => unknown;

/** Returns the client with `prepare` called on each query before it runs. */
export function onEachQuery<Client extends object>(
  client: Client,
  prepare: (query: DriverQuery, again: (other: object) => unknown) => void,
): Client {
  const prepared = (made: unknown, again: (other: object) => unknown): unknown => {
    if (isDriverQuery(made)) prepare(made, again);
    return made;
  };
  const unsafe = (...args: unknown[]): unknown =>
    prepared((client as { unsafe?: MakeQuery }).unsafe?.(...args), (other) =>
      (other as { unsafe: MakeQuery }).unsafe(...args),
    );
  return new Proxy(client, {
    apply: (target, self, args) =>
      prepared(Reflect.apply(target as MakeQuery, self, args), (other) =>
        Reflect.apply(other as MakeQuery, undefined, args),
      ),
    get: (target, key) => (key === 'unsafe' ? unsafe : (Reflect.get(target, key) as unknown)),
  });
}

/**
 * Sends a query to `rest` while the client of one connection is busy. The driver uses its connections in turn, so none
 * of them would be idle for long; this way all but one are, and can be closed.
 */
export function spreadQueries(rest: object): (query: DriverQuery) => void {
  const overflow = handlerOf(rest);
  let busy = 0;
  return (query) => {
    const { handler, resolve, reject } = query;
    let isFirst = false;
    const leave = (): void => {
      if (isFirst) busy -= 1;
      isFirst = false;
    };
    query.handler = (asked) => {
      if (busy > 0) return overflow(asked);
      isFirst = true;
      busy += 1;
      handler(asked);
    };
    query.resolve = (value) => {
      leave();
      resolve(value);
    };
    query.reject = (error) => {
      leave();
      reject(error);
    };
  };
}

/** What a client submits queries to; the query that reveals it never runs. */
function handlerOf(client: object): DriverQuery['handler'] {
  const query = (client as { unsafe: MakeQuery }).unsafe('select 1');
  if (!isDriverQuery(query)) throw new Error('the driver makes queries of another kind');
  return query.handler;
}
