import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { MarketError, UserError } from '../../core/errors.ts';
import { ApiProblem, answerProblem } from '../../core/http/problem.ts';
import type { Log } from '../../core/log.ts';
import { isUnstorable } from '../../database/explain-failure.ts';
import { isServerFull, PoolBusyError, poolBusyWords } from '../../database/server-full.ts';
import { isDatabaseUnreachable } from '../../database/unreachable.ts';
import { GuardRefusal } from '../../rentals/actions-switch.ts';
import { marketProblem } from '../../rentals/market-refusal.ts';
import { RentRefusal } from '../../rentals/rent/rent-refusal.ts';
import { loggedPath } from './logged-path.ts';
import { serverFull } from './shared-probe.ts';

const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The app's error handler: errors that are not meant for a person are logged, and the response does not contain their
 * details.
 */
export function createErrorHandler(log: Log): (error: Error, c: Context) => Response {
  return (error, c) => {
    const problem = toProblem(error, !readingMethods.has(c.req.method));
    if (problem.status >= 500 || isUnstorable(error)) {
      const request = { method: c.req.method, path: loggedPath(c.req.path) };
      // Health checkers ask repeatedly, so these errors are not logged.
      if (error instanceof ApiProblem) log.debug(request, problem.message);
      else log.error({ err: error, ...request }, problem.status === 500 ? 'request failed' : problem.message);
    }
    return answerProblem(c, problem);
  };
}

const refusals: Record<RentRefusal['kind'], [status: ContentfulStatusCode, kind: string]> = {
  'offer-gone': [410, 'offer-gone'],
  'price-above-cap': [409, 'price-above-cap'],
  'price-unknown': [409, 'price-unknown'],
  'quote-expired': [409, 'quote-expired'],
  'already-replaced': [409, 'already-replaced'],
  'key-reused': [422, 'key-reused'],
  'invalid-request': [400, 'invalid-request'],
};

/** Which value met which limit; for a guard without a limit, why it refuses. */
function wordsOfGuard({ limit, value, reason }: GuardRefusal): string {
  if (limit === null) return reason;
  return value === null ? `limit ${limit}; the value is unknown` : `limit ${limit}, value ${value}`;
}

function toProblem(error: Error, isChange: boolean): ApiProblem {
  if (error instanceof ApiProblem) return error;
  if (error instanceof GuardRefusal) {
    const errors = [{ name: error.guard, detail: wordsOfGuard(error) }];
    return new ApiProblem(409, 'guard-refused', error.message, { errors });
  }
  if (error instanceof RentRefusal) {
    const errors = error.fields.map((name) => ({ name, detail: error.message }));
    return new ApiProblem(...refusals[error.kind], error.message, { errors });
  }
  if (error instanceof UserError) return new ApiProblem(409, 'conflict', error.message);
  if (error instanceof MarketError) return marketProblem(error, isChange);
  if (error instanceof HTTPException && error.status < 500) return httpProblem(error);
  if (isServerFull(error)) return serverFull();
  if (error instanceof PoolBusyError)
    return new ApiProblem(503, 'pool-busy', poolBusyWords, { retrySeconds: 2 });
  if (isDatabaseUnreachable(error)) {
    const detail = 'The database cannot be reached: try again shortly.';
    return new ApiProblem(503, 'database-unreachable', detail, { retrySeconds: 2 });
  }
  if (isUnstorable(error)) {
    return new ApiProblem(
      400,
      'invalid-request',
      'A value in the request cannot be stored: it is too large, or not valid text.',
    );
  }
  return new ApiProblem(
    500,
    'internal-error',
    'The request failed unexpectedly: the log of the service has the reason.',
  );
}

function httpProblem({ status, message }: HTTPException): ApiProblem {
  const kind = status === 413 ? 'body-too-large' : 'invalid-request';
  const detail = message || 'The request is malformed.';
  // The framework itself only refuses a body that cannot be read.
  const errors = status === 400 ? [{ name: 'body', detail: 'must be JSON in UTF-8' }] : [];
  return new ApiProblem(status as ContentfulStatusCode, kind, detail, { errors });
}
