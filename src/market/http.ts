import type { Log } from '../domain/log.ts';
import { type JsonObject, readAnswer } from './answer.ts';
import type { KeySetting } from './answer-problem.ts';
import { type Clock, orAborted } from './clock.ts';
import { type Timeouts, timeoutsOf } from './deadlines.ts';
import type { Dialect, EndpointName } from './dialect.ts';
import { createExchange, type WireRequest } from './exchange.ts';
import { createQuote, type Failure, type Quote, toMarketError } from './failure.ts';
import { defaultRetryPolicy, type RetryReason, retryDelayMs } from './retry-timing.ts';

/** One call of an endpoint, retries included. */
export interface MarketRequest extends WireRequest {
  /** What minimum interval, budget and deadlines go by. */
  endpoint: EndpointName;
  /** `always`: twice is harmless. `unsent`: only while no byte of it went out. `never`: one attempt. */
  repeat: 'always' | 'unsent' | 'never';
  /** Numbers of the answer keep their digits, as ExactNumbers. @default false */
  exactNumbers?: boolean | undefined;
  /** Values of the request that no message may show, beside the keys. */
  secrets?: readonly string[] | undefined;
}

/** The success that a call ended in, and what it took. */
export interface MarketAnswer {
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
  keySetting: KeySetting;
  /** Hidden in messages: every key of the program, this one or not. */
  secrets: readonly string[];
  dialect: Dialect;
  maxBodyBytes: number;
  /** Whether connections are used again; not for acting. */
  keepAlive: boolean;
  log: Log;
  clock: Clock;
  /** 0 to 1, for jitter. */
  random: () => number;
  /** Instead of the endpoints' own. */
  timeouts: Partial<Timeouts>;
  /** Waits for the endpoint's minimum interval and the caller's budget, before each attempt. */
  awaitTurn: (endpoint: EndpointName, signal: AbortSignal) => Promise<void>;
}

/**
 * The request engine of every endpoint: turns, bounded retries, deadlines, one meaning of errors. A refused
 * key is never tried again. Source: docs/faults.md.
 */
export function createRequestEngine(options: EngineOptions): RequestEngine {
  const { dialect, keySetting, log, clock, random, awaitTurn } = options;
  const keys = [options.apiKey, ...options.secrets];
  const keyQuote = createQuote(...keys);
  const exchange = createExchange({ ...options, quote: keyQuote });
  const closing = new AbortController();
  const policy = {
    ...defaultRetryPolicy,
    throttledBaseMs: dialect.rateLimit.firstWaitSeconds * 1_000,
    maxRetryAfterMs: dialect.rateLimit.maxRetryAfterSeconds * 1_000,
  };

  async function attempt(request: MarketRequest, call: Call) {
    const { endpoint, exactNumbers } = request;
    const { signal, quote } = call;
    await orAborted(awaitTurn(endpoint, signal), signal);
    const startedAt = clock.now();
    const { timeouts } = call;
    const totalMs = Math.min(timeouts.totalMs, timeouts.callMs - call.spentMs);
    const outcome = await exchange.run(request, signal, { ...timeouts, totalMs });
    call.spentMs += clock.now() - startedAt;
    if (outcome.kind === 'failed') return outcome;
    const rules = { dialect, endpoint, keySetting, quote, exactNumbers, nowMs: clock.now() };
    const reading = readAnswer(outcome.answer, rules);
    return reading.kind === 'failed' ? reading : { ...reading, bodyBytes: outcome.answer.body.length };
  }

  /** Milliseconds to the next attempt; null: there is none. */
  function waitAfter({ retry, retryAfterMs, outcome }: Failure, request: MarketRequest, call: Call) {
    const mayRepeat = request.repeat === 'always' || (request.repeat === 'unsent' && outcome === 'not-sent');
    if (retry === 'never' || !mayRepeat) return null;
    const waitMs = retryDelayMs(retry, call.counts[retry], retryAfterMs, random, policy);
    return waitMs === null || call.spentMs + waitMs >= call.timeouts.callMs ? null : waitMs;
  }

  async function send(request: MarketRequest, callerSignal?: AbortSignal): Promise<MarketAnswer> {
    const signal =
      callerSignal === undefined ? closing.signal : AbortSignal.any([callerSignal, closing.signal]);
    const endpoint = `${request.method} ${request.path}`;
    const startedAt = clock.now();
    const quote = request.secrets === undefined ? keyQuote : createQuote(...keys, ...request.secrets);
    const timeouts = { ...timeoutsOf(request.endpoint), ...options.timeouts };
    const counts: Counts = { transient: 0, throttled: 0 };
    const call: Call = { signal, quote, timeouts, counts, spentMs: 0 };
    for (let attempts = 1; ; attempts += 1) {
      const outcome = await attempt(request, call);
      if (outcome.kind === 'success') {
        const { json, bodyBytes, replaced } = outcome;
        const durationMs = clock.now() - startedAt;
        const taken = { bodyBytes, retries: attempts - 1, throttles: counts.throttled, durationMs };
        log.debug({ endpoint, ...taken }, 'market answered');
        return { json, replacedCharacters: replaced, ...taken };
      }
      const { failure } = outcome;
      if (failure.retry !== 'never') counts[failure.retry] += 1;
      const waitMs = waitAfter(failure, request, call);
      if (waitMs === null) throw toMarketError(failure, endpoint, attempts, quote);
      log.warn({ endpoint, attempts, waitMs: Math.round(waitMs) }, `market ${failure.message}; trying again`);
      await orAborted(clock.sleep(waitMs, signal), signal);
      call.spentMs += waitMs;
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

/** One call under way. */
interface Call {
  signal: AbortSignal;
  quote: Quote;
  timeouts: Timeouts;
  counts: Counts;
  /** In attempts and in the waits between them. */
  spentMs: number;
}
