import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** What is wrong with one parameter, body field or header, by its name. */
export interface FieldError {
  name: string;
  detail: string;
}

const titles: Record<number, string> = {
  400: 'Bad request',
  401: 'Not authenticated',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'Body too large',
  415: 'Body of another kind',
  421: 'Not this server',
  422: 'Not the same request',
  429: 'Too many attempts',
  500: 'Internal error',
  502: 'Marketplace error',
  503: 'Not available',
};

/** A request that cannot be answered; the handler turns it into problem details. */
export class ApiProblem extends Error {
  override name = 'ApiProblem';
  readonly status: ContentfulStatusCode;
  /** Short name of the kind of problem, stable for programs: the end of `type`. */
  readonly kind: string;
  readonly errors: readonly FieldError[];
  /** What `Retry-After` says; null: nothing. */
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

/** A 400 that names one parameter or body field. */
export const badField = (name: string, detail: string): ApiProblem =>
  new ApiProblem(400, 'invalid-request', `\`${name}\` ${detail}`, { errors: [{ name, detail }] });

/** The 404 of an id that nothing has: `noSuch('watch')`. */
export const noSuch = (what: string): ApiProblem =>
  new ApiProblem(404, 'not-found', `There is no ${what} with this id.`);

/** What was looked for by its id. Throws the 404 where nothing has it. */
export function orNoSuch<T>(found: T | null, what: string): T {
  if (found === null) throw noSuch(what);
  return found;
}

export const ProblemSchema = z
  .object({
    type: z.string().openapi({ description: 'Kind of the problem: `/api/docs#<kind>`' }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    errors: z
      .array(z.object({ name: z.string(), detail: z.string() }))
      .openapi({ description: 'What is wrong with which parameter or field; empty for other problems' }),
  })
  .openapi('Problem');

/** The body of every answer that is no success. */
export type ProblemAnswer = z.infer<typeof ProblemSchema>;

const descriptions = {
  400: 'A parameter or the body is not as described; `errors` names each',
  401: 'No valid token or session',
  403: 'The role does not allow it, or a request with a cookie came from another page',
  404: 'There is no such thing',
  409: 'The state of the market, its books or a guard does not allow it',
  410: 'The offer is gone',
  422: 'The key came with another body before',
  502: 'The marketplace failed',
  503: 'The database cannot be reached, or the data is too old',
} as const;

/** The OpenAPI entries of the problems that a route can answer with. */
export function problemResponses(...statuses: (keyof typeof descriptions)[]) {
  const content = { 'application/problem+json': { schema: ProblemSchema } };
  return Object.fromEntries(
    statuses.map((status) => [status, { description: descriptions[status], content }]),
  );
}

/** Answers with the problem as RFC 9457 problem details. */
export function answerProblem(c: Context, problem: ApiProblem): Response {
  const { status, kind, message: detail, errors } = problem;
  const title = titles[status] ?? 'Error';
  if (status === 401) c.header('WWW-Authenticate', 'Bearer');
  if (problem.retrySeconds !== null) c.header('Retry-After', String(problem.retrySeconds));
  c.header('Cache-Control', 'no-store');
  return c.body(JSON.stringify({ type: `/api/docs#${kind}`, title, status, detail, errors }), status, {
    'content-type': 'application/problem+json',
  });
}
