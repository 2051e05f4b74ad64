import type { Log } from '../../core/log.ts';
import { orAborted } from '../../core/or-aborted.ts';
import type { RequestBudget } from '../../core/request-budget.ts';
import type { SendGate } from '../call.ts';
import { type SettingNames, settingNames } from '../setting-names.ts';
import { type AnswerMeaning, type JsonObject, readAnswer } from './answer.ts';
import type { Clock } from './clock.ts';
import type { Timeouts } from './deadlines.ts';
import { createExchange, type WireRequest } from './exchange.ts';
import { createRedactor, type Failure, type Redact, toMarketError } from './failure.ts';
import { defaultRetryPolicy, type RetryPolicy, type RetryReason, retryDelayMs } from './retry-timing.ts';

/** One call of an endpoint, including retries. */
export interface MarketRequest<Endpoint extends string = string> extends WireRequest {
  /** Selects budget and deadlines. */
  endpoint: Endpoint;
  /** `always`: harmless to repeat. `unsent`: only while no byte was sent. `never`: one attempt. */
  repeat: 'always' | 'unsent' | 'never';
  /** Values of the request, beside the keys, that no message may show. */
  secrets?: readonly string[] | undefined;
  /** @default always sends */
  gate?: SendGate | undefined;
}

/** The successful result of a call, and what it took. */
export interface MarketAnswer {
  json: JsonObject;
  /** Bytes of the body, decompressed. */
  bodyBytes: number;
  /** Characters of the body that were not UTF-8 and became U+FFFD. */
  replacedCharacters: number;
  /** Attempts after the first. */
  retries: number;
  /** Throttled responses. */
  throttles: number;
  /** The whole call, including waits. */
  durationMs: number;
}

/** Sends requests to one market with one key. */
export interface RequestEngine<Endpoint extends string = string> {
  /** Throws MarketError for a call that failed for good, and the signal's reason when it aborts. */
  send: (request: MarketRequest<Endpoint>, signal?: AbortSignal) => Promise<MarketAnswer>;
  close: () => Promise<void>;
}

/** Options of an engine. */
export interface EngineOptions<Endpoint extends string> {
  baseUrl: string;
  /** Sent with every request, including the key. */
  headers: Readonly<Record<string, string>>;
  /** Hidden in messages: every key of the program. */
  secrets: readonly string[];
  meaning: AnswerMeaning;
  /** Setting names for messages. @default the single market's */
  names?: SettingNames | undefined;
  /** Differences from the default waits between attempts. */
  retry?: Partial<RetryPolicy> | undefined;
  maxBodyBytes: number;
  /** Whether connections are reused; not for acting. */
  keepAlive: boolean;
  log: Log;
  clock: Clock;
  /** 0 to 1, for jitter. */
  random: () => number;
  timeoutsOf: (endpoint: Endpoint) => Timeouts;
  /** Grants a turn before each attempt, and is notified of throttled responses. */
  budget: RequestBudget;
}

/**
 * Creates the request engine of every endpoint: turns, bounded retries, deadlines, one meaning of errors. Never retries
 * a refused key. Source: docs/faults.md.
 */
export function createRequestEngine<Endpoint extends string>(
  options: EngineOptions<Endpoint>,
): RequestEngine<Endpoint> {
  const { meaning, log, clock, random, budget, secrets: keys, names = settingNames() } = options;
  const redactKeys = createRedactor(...keys);
  const exchange = createExchange({ ...options, redact: redactKeys, names });
  const closing = new AbortController();
  const policy = { ...defaultRetryPolicy, ...options.retry };

  async function attempt(request: MarketRequest, call: Call) {
    const { endpoint, exactNumbers } = request;
    const { redact } = call;
    const outcome = await sendInTurn(request, call);
    if (outcome.kind === 'failed') return outcome;
    const rules = { meaning, endpoint, redact, names, exactNumbers, nowMs: clock.now() };
    const reading = readAnswer(outcome.answer, rules);
    return reading.kind === 'failed' ? reading : { ...reading, bodyBytes: outcome.answer.bodyBytes };
  }

  async function sendInTurn(request: MarketRequest, call: Call) {
    const { signal, timeouts } = call;
    const { gate } = request;
    for (let lateStarts = 0; ; lateStarts += 1) {
      const turn = await orAborted(budget.awaitTurn(request.endpoint, signal), signal);
      let heldError: { error: unknown } | null = null;
      const mayStart = (): boolean => {
        if (lateStarts < maxLateStarts && turn.isStale()) return false;
        try {
          gate?.onSending?.();
          return true;
        } catch (error) {
          heldError = { error };
          return false;
        }
      };
      await gate?.onTurn?.().catch((error: unknown) => {
        turn.end();
        throw error;
      });
      const startedAt = clock.now();
      const totalMs = Math.min(timeouts.totalMs, timeouts.callMs - call.spentMs);
      const outcome = await exchange.run(
        request,
        signal,
        { ...timeouts, totalMs },
        { mayStart, onAnswer: turn.end },
      );
      call.spentMs += clock.now() - startedAt;
      if (outcome.kind !== 'late') {
        turn.end();
        return outcome;
      }
      throwHeldError(heldError, turn.end);
    }
  }

  /** Returns milliseconds until the next attempt; null: none. */
  function waitAfter({ retry, retryAfterMs, outcome }: Failure, request: MarketRequest, call: Call) {
    const mayRepeat = request.repeat === 'always' || (request.repeat === 'unsent' && outcome === 'not-sent');
    if (retry === 'never' || !mayRepeat) return null;
    const waitMs = retryDelayMs(retry, call.counts[retry], retryAfterMs, random, policy);
    return waitMs === null || call.spentMs + waitMs >= call.timeouts.callMs ? null : waitMs;
  }

  async function send(request: MarketRequest<Endpoint>, callerSignal?: AbortSignal): Promise<MarketAnswer> {
    const signal =
      callerSignal === undefined ? closing.signal : AbortSignal.any([callerSignal, closing.signal]);
    const endpoint = `${request.method} ${request.path}`;
    const startedAt = clock.now();
    const redact = request.secrets === undefined ? redactKeys : createRedactor(...keys, ...request.secrets);
    const timeouts = options.timeoutsOf(request.endpoint);
    const counts: Counts = { transient: 0, throttled: 0 };
    const call: Call = { signal, redact, timeouts, counts, spentMs: 0 };
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
      if (failure.retry === 'throttled') budget.noteThrottled(request.endpoint);
      const waitMs = waitAfter(failure, request, call);
      if (waitMs === null) throw toMarketError(failure, endpoint, attempts, redact);
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

function throwHeldError(heldError: { error: unknown } | null, endTurn: () => void): void {
  if (heldError === null) return;
  endTurn();
  throw heldError.error;
}

/**
 * How many times an attempt takes another turn because its turn expired before sending. After that it uses the expired
 * one: connecting always takes that long.
 */
const maxLateStarts = 3;

type Counts = Record<RetryReason, number>;

/** A call in progress. */
interface Call {
  signal: AbortSignal;
  redact: Redact;
  timeouts: Timeouts;
  counts: Counts;
  /** Time in attempts and in the waits between them. */
  spentMs: number;
}
