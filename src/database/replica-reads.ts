import type { Log } from '../core/log.ts';
import type { Sql } from './connection.ts';
import { type DriverQuery, isDriverQuery } from './driver-query.ts';
import { endsWithin } from './reserved-connection.ts';
import { isDatabaseUnreachable } from './unreachable.ts';

/** State of a read replica. */
export interface ReplicaState {
  isUp: boolean;
  /** Why it cannot be used; null: it is up. */
  reason: string | null;
  /** Seconds since the newest change of the primary that it has; null: down, or not a standby. */
  lagSeconds: number | null;
  /** Reads of this process that were meant for the replica and went to the primary. */
  fallbackReads: number;
}

export interface ReplicaReads {
  /** Reads on the replica; on the primary while the replica is down. */
  sql: Sql;
  state: () => ReplicaState;
  /** Checks the replica; takes at most 2 seconds. */
  check: () => Promise<void>;
  end: () => Promise<void>;
}

interface Options {
  primary: Sql;
  /** Opens a pool on the replica. */
  open: (max?: number) => Sql;
  log: Log;
  /** Milliseconds between two checks of the replica. @default 2000 */
  everyMs?: number;
}

const answerMs = 2_000;
/** Conflicts with what the standby replays, and a schema that it does not have yet. */
const standbyStates: ReadonlySet<string> = new Set(['40001', '40P01', '42P01', '42703']);

type MakeQuery = (...args: unknown[]) => unknown;

/**
 * Reads from a replica that fall back to the primary: at once while the replica is known to be down, and for a query
 * that fails on it. A check every 2 seconds detects a failure and a recovery.
 */
export function createReplicaReads({ primary, open, log, everyMs = 2_000 }: Options): ReplicaReads {
  const state: ReplicaState = { isUp: true, reason: null, lagSeconds: null, fallbackReads: 0 };
  /** Sends the current queries to the primary. */
  const underWay = new Set<() => void>();
  let pool = open();
  let looker = open(1);

  const goDown = (reason: string): void => {
    if (!state.isUp) return;
    Object.assign(state, { isUp: false, reason, lagSeconds: null });
    log.warn({ reason }, 'the replica cannot be used: reads go to the primary until it is back');
    // A connection that hangs would not recover, so the next reads of the replica get new connections.
    const old = pool;
    pool = open();
    for (const move of [...underWay]) move();
    old.end({ timeout: 0 }).catch(() => {});
  };
  const failed = (error: unknown): void => {
    if (isDatabaseUnreachable(error)) goDown(`it does not answer (${(error as { code: string }).code})`);
  };
  const check = async (): Promise<void> => {
    const asked = readLag(looker);
    const lag = await endsWithin(
      answerMs,
      asked.then(
        (lagSeconds) => ({ lagSeconds }),
        (error: unknown) => ({ error }),
      ),
    );
    if (lag !== undefined && 'lagSeconds' in lag) {
      if (!state.isUp) log.info({}, 'the replica answers again: reads go there');
      Object.assign(state, { isUp: true, reason: null, lagSeconds: lag.lagSeconds });
      return;
    }
    const code = lag === undefined ? `no answer within ${answerMs} ms` : codeOf(lag.error);
    goDown(`it does not answer (${code})`);
    looker.end({ timeout: 0 }).catch(() => {});
    looker = open(1);
  };
  let isLooking = false;
  const looking = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void check().finally(() => {
      isLooking = false;
    });
  }, everyMs).unref();

  /** Runs the query that `make` creates, on the replica or on the primary. */
  const query = (make: (sql: Sql) => unknown): unknown => {
    const made = make(state.isUp ? pool : primary);
    if (!isDriverQuery(made)) return made;
    if (state.isUp) moveWhereItFails(made, () => make(primary));
    else countWhenAsked(made);
    return made;
  };
  const countWhenAsked = (asked: DriverQuery): void => {
    const { handler } = asked;
    asked.handler = (one) => {
      state.fallbackReads += 1;
      handler(one);
    };
  };
  const moveWhereItFails = (asked: DriverQuery, again: () => unknown): void => {
    const { handler, resolve, reject } = asked;
    let isMoved = false;
    const move = (): void => {
      underWay.delete(move);
      isMoved = true;
      state.fallbackReads += 1;
      const other = again() as DriverQuery & Promise<unknown>;
      other.isRaw = asked.isRaw;
      void other.then(resolve, reject);
    };
    // Rows that were already handed out cannot be taken back.
    const canMove = (): boolean => asked.cursorFn === undefined && asked.forEachFn === undefined;
    asked.handler = (one) => {
      if (canMove()) underWay.add(move);
      handler(one);
    };
    asked.resolve = (value) => {
      underWay.delete(move);
      if (!isMoved) resolve(value);
    };
    asked.reject = (error) => {
      if (isMoved) return;
      underWay.delete(move);
      failed(error);
      if (isMoved) return;
      if (canMove() && isStandbyFailure(error)) move();
      else reject(error);
    };
  };
  const fallBack = async <T>(onReplica: () => Promise<T>, onPrimary: () => Promise<T>): Promise<T> => {
    if (state.isUp) {
      try {
        return await onReplica();
      } catch (error) {
        failed(error);
        if (!isStandbyFailure(error)) throw error;
      }
    }
    state.fallbackReads += 1;
    return await onPrimary();
  };
  const own = {
    unsafe: (...args: unknown[]) => query((on) => (on.unsafe as MakeQuery)(...args)),
    reserve: (...args: Parameters<Sql['reserve']>) =>
      fallBack(
        () => pool.reserve(...args),
        () => primary.reserve(...args),
      ),
    begin: (...args: unknown[]) =>
      fallBack(
        () => (pool.begin as (...given: unknown[]) => Promise<unknown>)(...args),
        () => (primary.begin as (...given: unknown[]) => Promise<unknown>)(...args),
      ),
  };
  const sql = new Proxy(primary, {
    apply: (_, __, args) => query((on) => (on as unknown as MakeQuery)(...args)),
    get: (_, key) =>
      key in own ? own[key as keyof typeof own] : (Reflect.get(state.isUp ? pool : primary, key) as unknown),
  });
  return {
    sql,
    state: () => ({ ...state }),
    check,
    end: async () => {
      clearInterval(looking);
      await Promise.all([pool.end({ timeout: 2 }), looker.end({ timeout: 0 })]);
    },
  };
}

const codeOf = (error: unknown): string =>
  String((error as { code?: unknown }).code ?? (error as Error).message);

const isStandbyFailure = (error: unknown): boolean =>
  isDatabaseUnreachable(error) || standbyStates.has(codeOf(error));

async function readLag(sql: Sql): Promise<number | null> {
  const [row] = await sql<{ lag: number | null }[]>`
    select extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as lag
    where pg_is_in_recovery()`;
  return row?.lag === undefined || row.lag === null ? null : Math.max(0, Math.round(row.lag));
}
