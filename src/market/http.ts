import type { Log } from '../domain/log.ts';
import { type JsonObject, readAnswer } from './answer.ts';
import { type Clock, orAborted } from './clock.ts';
import type { Dialect, EndpointName } from './dialect.ts';
import { createExchange, type Timeouts, type WireRequest } from './exchange.ts';
import { createQuote, type Failure, toMarketError } from './failure.ts';
import { createIntervalGate } from './interval-gate.ts';
import { defaultRetryPolicy, type RetryReason, retryDelayMs } from './retry-timing.ts';

/** One call of an endpoint, retries included. */
interface MarketRequest extends WireRequest {
  /** What minimum interval and budget go by. */
  endpoint: EndpointName;
  /** Whether sending it twice is harmless; otherwise one failure is final. */
  repeatable: boolean;
}

/** The success that a call ended in, and what it took. */
interface MarketAnswer {
  json: JsonObject;
  /** Bytes of the body, decompressed. */
  bodyBytes: number;
  /** Characters of the body that were not UTF-8 and became U+FFFD. */
  replacedCharacters: number;
  /** Attempts after the first. */
  retries: number;
  /** Answers that asked for fewer requests. */
  throttles: number;
  /** The whole call, waiting included. */
  durationMs: number;
}

/** Sends requests to one market with one key. */
export interface RequestEngine {
  /** Throws MarketError for a call that failed for good, the signal's reason when that aborts. */
  send: (request: MarketRequest, signal?: AbortSignal) => Promise<MarketAnswer>;
  close: () => Promise<void>;
}

/** What an engine works with. */
export interface EngineOptions {
  baseUrl: string;
  apiKey: string;
  dialect: Dialect;
  maxBodyBytes: number;
  log: Log;
  clock: Clock;
  /** 0 to 1, for jitter. */
  random: () => number;
  timeouts: Timeouts;
  /** Waits for the caller's budget, before each attempt. */
  awaitTurn: (endpoint: EndpointName, signal: AbortSignal) => Promise<void>;
}

/**
 * The request engine of every endpoint: minimum intervals, budget, bounded retries, one meaning of errors.
 * A refused key is never tried again.
 */
export function createRequestEngine(options: EngineOptions): RequestEngine {
  const { dialect, log, clock, random, awaitTurn } = options;
  const quote = createQuote(options.apiKey);
  const exchange = createExchange({ ...options, quote });
  const awaitInterval = createIntervalGate(dialect.minIntervalSeconds, clock);
  const closing = new AbortController();
  const policy = {
    ...defaultRetryPolicy,
    throttledBaseMs: dialect.rateLimit.firstWaitSeconds * 1_000,
    maxRetryAfterMs: dialect.rateLimit.maxRetryAfterSeconds * 1_000,
  };

  async function attempt(request: MarketRequest, signal: AbortSignal) {
    await orAborted(awaitInterval(request.endpoint, signal), signal);
    await orAborted(awaitTurn(request.endpoint, signal), signal);
    const outcome = await exchange.run(request, signal);
    if (outcome.kind === 'failed') return outcome;
    const reading = readAnswer(outcome.answer, { dialect, quote, nowMs: clock.now() });
    return reading.kind === 'failed' ? reading : { ...reading, bodyBytes: outcome.answer.body.length };
  }

  function waitAfter(
    { retry, retryAfterMs }: Failure,
    request: MarketRequest,
    counts: Counts,
  ): number | null {
    if (retry === 'never' || !request.repeatable) return null;
    return retryDelayMs(retry, counts[retry], retryAfterMs, random, policy);
  }

  async function send(request: MarketRequest, callerSignal?: AbortSignal): Promise<MarketAnswer> {
    const signal =
      callerSignal === undefined ? closing.signal : AbortSignal.any([callerSignal, closing.signal]);
    const endpoint = `${request.method} ${request.path}`;
    const startedAt = clock.now();
    const counts: Counts = { transient: 0, throttled: 0 };
    for (let attempts = 1; ; attempts += 1) {
      const outcome = await attempt(request, signal);
      const durationMs = clock.now() - startedAt;
      if (outcome.kind === 'success') {
        const { json, bodyBytes, replaced } = outcome;
        const taken = { bodyBytes, retries: attempts - 1, throttles: counts.throttled, durationMs };
        log.debug({ endpoint, ...taken }, 'market answered');
        return { json, replacedCharacters: replaced, ...taken };
      }
      const { failure } = outcome;
      if (failure.retry !== 'never') counts[failure.retry] += 1;
      const waitMs = waitAfter(failure, request, counts);
      if (waitMs === null) throw toMarketError(failure, endpoint, attempts, quote);
      log.warn({ endpoint, attempts, waitMs: Math.round(waitMs) }, `market ${failure.message}; trying again`);
      await orAborted(clock.sleep(waitMs, signal), signal);
    }
  }

  return {
    send,
    async close() {
      closing.abort(new Error('the market client was closed'));
      await exchange.close();
    },
  };
}

type Counts = Record<RetryReason, number>;
