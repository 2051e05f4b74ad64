import type { ApiAnswer } from '../endpoints/endpoint.ts';
import { answerInstead, sendBroken } from '../faults/broken-answers.ts';
import { parseFault } from '../faults/fault-grammar.ts';
import { createFaultPlan } from '../faults/fault-plan.ts';
import { createHttpServer, type RequestHandler, type ServedRequest, splitUrl } from '../http-server.ts';
import { createChance } from '../model/chance.ts';
import { createMarketModel } from '../model/market-model.ts';
import type { OfferRecord } from '../model/offer-record.ts';
import { answerText, sendAnswer } from '../send-answer.ts';
import { createVirtualClock } from '../virtual-clock.ts';
import { type ServerRecord, serverRecord } from './server-record.ts';

export interface CloreSimulatorOptions {
  /** The same seed makes the same market. @default 2 */
  seed?: number | undefined;
  /** Approximate number of free servers. @default 400 */
  servers?: number | undefined;
  /** Virtual seconds per second. @default 1 */
  speed?: number | undefined;
  /** The real clock. @default the system's */
  now?: (() => Date) | undefined;
  /** The virtual time at creation. @default now */
  startAt?: Date | undefined;
  /** Accepted keys; requests without a key are always accepted. @default none */
  apiKeys?: readonly string[] | undefined;
  /** Minimum milliseconds between two requests; earlier ones get code 5. @default 0: none */
  minIntervalMs?: number | undefined;
}

/** The second marketplace to build and test against: it lists servers but rents none out. */
export interface CloreSimulator {
  listen(options?: { host?: '127.0.0.1' | undefined; port?: number | undefined }): Promise<{ url: string }>;
  close(): Promise<void>;
  /** The virtual time. */
  now(): Date;
  advance(seconds: number): void;
  /** The actual state: all servers at a virtual moment, including rented ones. @default now */
  serversAt(at?: Date): readonly ServerRecord[];
  /** Serves these servers from now on; null: those of the generated market. */
  serve(servers: readonly unknown[] | null): void;
  /** Answers with status 200 and only this code, for a number of requests. */
  answerCode(code: number, times?: number): void;
  /** Replaces all faults. Throws a UserError for an invalid fault. */
  setFaults(faults: readonly string[]): void;
  requests(): readonly ServedRequest[];
}

const path = '/v1/marketplace';
/** Measured number of rentable chunks per free whole machine. */
const offersPerServer = 2.2;

/** Creates a simulated second marketplace. Source: docs/clore.md. */
export function createCloreSimulator(options: CloreSimulatorOptions = {}): CloreSimulator {
  const {
    seed = 2,
    servers = 400,
    speed = 1,
    now = () => new Date(),
    apiKeys = [],
    minIntervalMs = 0,
  } = options;
  const chance = createChance(seed);
  const market = createMarketModel({ seed, offersPerType: Math.round(servers * offersPerServer) });
  const clock = createVirtualClock({ now, speed, startAt: options.startAt ?? now() });
  const plan = createFaultPlan(chance);
  let served: readonly unknown[] | null = null;
  let codes: number[] = [];
  let lastMs = Number.NEGATIVE_INFINITY;

  const rowsAt = (type: 'on-demand' | 'bid', at: Date) =>
    market.book({ type, storageGb: 0, rentableOnly: false }, at).rows as unknown as readonly OfferRecord[];

  function serversAt(at: Date): ServerRecord[] {
    const bids = new Map(rowsAt('bid', at).map((row) => [row.id, row.dph_base]));
    return rowsAt('on-demand', at)
      .filter(({ gpu_frac }) => gpu_frac === 1)
      .map((onDemand) => serverRecord(chance, { onDemand, bidUsdPerHour: bids.get(onDemand.id) ?? null }));
  }

  function answer(method: string, asked: string, key: string | null): ApiAnswer {
    const code = codes.shift();
    if (code !== undefined) return withCode(code);
    if (key !== null && !apiKeys.includes(key)) return withCode(3);
    if (method !== 'GET' || asked.replace(/\/$/, '') !== path) return withCode(4);
    const nowMs = now().getTime();
    if (nowMs - lastMs < minIntervalMs) return withCode(5);
    lastMs = nowMs;
    return { status: 200, body: { servers: served ?? serversAt(clock.now()), my_servers: [], code: 0 } };
  }

  const handle: RequestHandler = async (request, response) => {
    const [asked] = splitUrl(request.url ?? '/');
    const method = request.method ?? 'GET';
    const { auth } = request.headers;
    const drawn = plan.draw({ method, path: asked, endpoint: null });
    const fault = drawn.instead ?? drawn.after;
    const given =
      drawn.instead === null ? answer(method, asked, typeof auth === 'string' ? auth : null) : null;
    const sent = fault === null ? given : answerInstead(fault);
    const outcome = { status: sent?.status ?? null, identity: null, faults: drawn.kinds };
    if (sent !== null) return { outcome, send: () => sendAnswer(request, response, sent) };
    const text = given === null ? null : answerText(given);
    return {
      outcome,
      send: async () => (fault === null ? undefined : await sendBroken(response, fault, text)),
    };
  };
  const server = createHttpServer({ handle, now });

  return {
    listen: ({ host = '127.0.0.1', port = 0 } = {}) => server.listen({ host, port }),
    close: server.close,
    now: clock.now,
    advance: clock.advance,
    serversAt: (at = clock.now()) => serversAt(at),
    serve: (rows) => {
      served = rows;
    },
    answerCode: (code, times = 1) => {
      codes = new Array(times).fill(code);
    },
    setFaults: (faults) => plan.set(faults.map(parseFault)),
    requests: server.requests,
  };
}

const withCode = (code: number): ApiAnswer => ({ status: 200, body: { code, error: `code ${code}` } });
