import type { AnswerMeaning } from '../wire/answer.ts';
import { bookTimeouts, recordTimeouts, type Timeouts } from '../wire/deadlines.ts';
import { requireHeaderText } from '../wire/exchange.ts';
import { createRequestEngine, type EngineOptions, type RequestEngine } from '../wire/request-engine.ts';
import { findNamedProblem, type KeySource } from './answer-problem.ts';
import type { Dialect, EndpointName } from './dialect.ts';

/** Sends requests to this market with one key. */
export type VastEngine = RequestEngine<EndpointName>;

/** Options of this market's engine. */
export interface VastEngineOptions
  extends Omit<EngineOptions<EndpointName>, 'headers' | 'meaning' | 'names' | 'retry' | 'timeoutsOf'> {
  apiKey: string;
  source: KeySource;
  dialect: Dialect;
  /** Override the endpoints' defaults. */
  timeouts: Partial<Timeouts>;
}

/** Creates the request engine of a dialect. Throws UserError for an unusable address or key. */
export function createVastEngine(options: VastEngineOptions): VastEngine {
  const { apiKey, source, dialect, timeouts } = options;
  const { names, key } = source;
  const { firstWaitSeconds, maxRetryAfterSeconds } = dialect.rateLimit;
  return createRequestEngine({
    ...options,
    names,
    secrets: [apiKey, ...options.secrets],
    headers: { authorization: `Bearer ${requireHeaderText(apiKey, names[key])}` },
    meaning: meaningOf(dialect, source),
    retry: { throttledBaseMs: firstWaitSeconds * 1_000, maxRetryAfterMs: maxRetryAfterSeconds * 1_000 },
    timeoutsOf: (endpoint) => ({
      ...(endpoint === 'searchOffers' ? bookTimeouts : recordTimeouts),
      ...timeouts,
    }),
  });
}

const meaningOf = (dialect: Dialect, source: KeySource): AnswerMeaning => ({
  isErrorBody: (json) =>
    json.success === false || (json.success !== true && typeof json.error === 'string' && json.error !== ''),
  throttle: dialect.rateLimit,
  findNamedProblem: (answer, saying) => findNamedProblem(answer, saying, { dialect, source }),
});
