import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, Env, MiddlewareHandler } from 'hono';
import type { ZodError } from 'zod';
import { bodyErrors, describeIssue, fieldsProblem, type KeysAt, unknownKey } from './body-errors.ts';
import { ApiProblem, type FieldError } from './problem.ts';
import { keysOfRoute } from './schema-keys.ts';

type Issue = ZodError['issues'][number];

/**
 * Returns the validation hook of an app: throws a 400 that names every parameter and field that does not fit its
 * schema.
 */
export const rejectInvalid =
  <E extends Env>(app: () => OpenAPIHono<E>) =>
  (result: ValidationResult, c: Context): void => {
    if (!result.success) reject(result, c, (path) => keysOfRoute(app(), c, result.target, path));
  };

type ValidationResult = { success: true } | { success: false; target: string; error: ZodError };

/** Throws the 400 for input that failed its schema; `keysAt` lists the known names, to suggest one. */
export function reject(result: { target: string; error: ZodError }, c: Context, keysAt: KeysAt): never {
  const { target, error } = result;
  // An id of the wrong form cannot exist: a 404, not a 400.
  if (target === 'param') throw new ApiProblem(404, 'not-found', 'The address contains a malformed id.');
  if (target === 'json') throw fieldsProblem(bodyErrors(error, keysAt));
  throw fieldsProblem(error.issues.flatMap((issue) => explain(issue, target, c, keysAt([]))));
}

function explain(issue: Issue, target: string, c: Context, known: readonly string[]): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    const what = target === 'query' ? 'parameter' : 'field';
    return issue.keys.map((key) => ({ name: key, detail: unknownKey(what, key, known) }));
  }
  const name = issue.path.length > 0 ? String(issue.path[0]) : 'body';
  if (target === 'query' && issue.code === 'invalid_type' && (c.req.queries(name)?.length ?? 0) > 1) {
    return [{ name, detail: 'may be given only once' }];
  }
  return [{ name, detail: describeIssue(issue) }];
}

/** Answers 415 to a body that is not declared as JSON: an optional body of another kind would otherwise be ignored. */
export function requireJson(): MiddlewareHandler {
  return async (c, next) => {
    const type = c.req.header('content-type');
    if (type !== undefined && !/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type)) {
      throw new ApiProblem(415, 'unsupported-body', 'Send the body as application/json.');
    }
    await next();
  };
}
