import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { currentTraceId, newTraceId } from '../trace.ts';

/** What is wrong with one parameter, body field or header, by its name. */
export interface FieldError {
  name: string;
  detail: string;
}

/** The title of each status that the API answers with. */
export const problemTitles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Not authenticated',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'Body too large',
  415: 'Unsupported media type',
  421: 'Wrong host',
  422: 'Idempotency key reused',
  429: 'Too many attempts',
  500: 'Internal error',
  502: 'Marketplace error',
  503: 'Not available',
};

/** An error of a request; the error handler answers with it as problem details. */
export class ApiProblem extends Error {
  override name = 'ApiProblem';
  readonly status: ContentfulStatusCode;
  /** Short, stable name of the kind of problem: the end of `type`. */
  readonly kind: string;
  readonly errors: readonly FieldError[];
  /** Value of `Retry-After` in seconds; null: no such header. */
  readonly retrySeconds: number | null;

  constructor(
    status: ContentfulStatusCode,
    kind: string,
    detail: string,
    options: { errors?: readonly FieldError[]; cause?: unknown; retrySeconds?: number } = {},
  ) {
    super(detail, { cause: options.cause });
    this.status = status;
    this.kind = kind;
    this.errors = options.errors ?? [];
    this.retrySeconds = options.retrySeconds ?? null;
  }
}

/** Returns a 400 that names one parameter or body field. */
export const badField = (name: string, detail: string): ApiProblem =>
  new ApiProblem(400, 'invalid-request', `\`${name}\` ${detail}`, { errors: [{ name, detail }] });

/** Returns the 404 for an unknown id: `noSuch('watch')`. */
export const noSuch = (what: string): ApiProblem =>
  new ApiProblem(404, 'not-found', `There is no ${what} with this id.`);

/** Returns `found`. Throws the 404 if it is null. */
export function orNoSuch<T>(found: T | null, what: string): T {
  if (found === null) throw noSuch(what);
  return found;
}

/** Returns the 409 for a name that another one has: `nameTaken('a watch', name)`. */
export const nameTaken = (what: string, name: string): ApiProblem =>
  new ApiProblem(
    409,
    'name-taken',
    `There already is ${what} named ${JSON.stringify(name)}: choose another name.`,
  );

export const ProblemSchema = z
  .object({
    type: z.string().openapi({ description: 'Kind of the problem: `/api/docs#<kind>`' }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    errors: z
      .array(z.object({ name: z.string(), detail: z.string() }))
      .openapi({ description: 'What is wrong with each parameter or field; empty for other problems' }),
    traceId: z
      .string()
      .openapi({ description: 'Trace id of the request, as in `X-Request-Id`: the log has it in each line' }),
  })
  .openapi('Problem');

/** The body of every error response. */
export type ProblemAnswer = z.infer<typeof ProblemSchema>;

/** What each error status means, in the API description. */
export const problemDescriptions = {
  400: 'A parameter or the body is not valid; `errors` names each',
  401: 'No valid token or session',
  403: 'The role does not allow it, or a request with a cookie came from another site',
  404: 'Not found',
  409: 'The state of the market, its books or a guard does not allow it',
  410: 'The offer is gone',
  413: 'The body, or the answer, is too large',
  415: 'The body is not declared as JSON',
  421: 'The request names a host that is not this server',
  422: 'The idempotency key was used before with another body',
  429: 'Too many wrong tokens came from this address',
  500: 'An error of Offerbook; its log has the reason',
  502: 'The marketplace failed',
  503: 'The database cannot be reached, or the data is too old',
} as const;

/** Returns the OpenAPI entries of the error responses of a route, beside those that every route may answer with. */
export function problemResponses(...statuses: (keyof typeof problemDescriptions)[]) {
  const content = { 'application/problem+json': { schema: ProblemSchema } };
  return Object.fromEntries(
    statuses.map((status) => [status, { description: problemDescriptions[status], content }]),
  );
}

/** Answers with the problem as RFC 9457 problem details. */
export function answerProblem(c: Context, problem: ApiProblem): Response {
  const { status, kind, message: detail, errors } = problem;
  const title = problemTitles[status] ?? 'Error';
  if (status === 401) c.header('WWW-Authenticate', 'Bearer');
  if (problem.retrySeconds !== null) c.header('Retry-After', String(problem.retrySeconds));
  c.header('Cache-Control', 'no-store');
  const traceId = currentTraceId() ?? newTraceId();
  const body = { type: `/api/docs#${kind}`, title, status, detail, errors, traceId };
  return c.body(JSON.stringify(body), status, { 'content-type': 'application/problem+json' });
}
