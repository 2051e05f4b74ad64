import type { ZodError } from 'zod';
import { closestOf } from '../did-you-mean.ts';
import { ApiProblem, type FieldError } from './problem.ts';

type Issue = ZodError['issues'][number];

/** The fields that an object of a body knows, by where it stands in it. */
export type KeysAt = (path: readonly PropertyKey[]) => readonly string[];

/** What is wrong with which field of a body, by its whole name: `filters.minVramGb`. */
export const bodyErrors = (error: ZodError, keysAt: KeysAt = () => []): FieldError[] => {
  const errors = error.issues.flatMap((issue) => explain(issue, keysAt));
  // Of a list each wrong item is an issue of its own.
  return errors.filter(({ name, detail }, at) => {
    const first = errors.findIndex((other) => other.name === name && other.detail === detail);
    return first === at;
  });
};

/** The 400 that names all of them. */
export function fieldsProblem(errors: readonly FieldError[]): ApiProblem {
  // A detail that is a sentence of its own names the field itself.
  const parts = errors.map(({ name, detail }) => (/^[A-Z]/.test(detail) ? detail : `\`${name}\` ${detail}`));
  return new ApiProblem(400, 'invalid-request', parts.join('; '), { errors });
}

/** `Unknown parameter \`contry\`. Did you mean \`country\`?`; `within`: the path to a field of an inner object. */
export function unknownKey(
  what: 'parameter' | 'field',
  key: string,
  known: readonly string[],
  within: readonly string[] = [],
): string {
  const closest = closestOf(key, known);
  const named = (name: string): string => `\`${[...within, name].join('.')}\``;
  const hint = closest === null ? `/api/docs lists the ${what}s.` : `Did you mean ${named(closest)}?`;
  return `Unknown ${what} ${named(key)}. ${hint}`;
}

function explain(issue: Issue, keysAt: KeysAt): FieldError[] {
  const path = issue.path.filter((part) => typeof part !== 'number').map(String);
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(issue.path);
    return issue.keys.map((key) => ({
      name: [...path, key].join('.'),
      detail: unknownKey('field', key, known, path),
    }));
  }
  return [{ name: path.length === 0 ? 'body' : path.join('.'), detail: describeIssueOfBody(issue) }];
}

function describeIssueOfBody(issue: Issue): string {
  if (issue.code === 'invalid_type') {
    if (issue.message.endsWith('received undefined')) return 'is missing';
    // Filters are checked as query parameters, which are text until they are read.
    if (issue.path[0] === 'filters' && issue.path.length > 1) return 'takes a single value';
  }
  return describeIssue(issue);
}

/** What is wrong with a value, for a person: `must be at least 1`. */
export function describeIssue(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      if (issue.origin === 'string') return 'must not be empty';
      return `must be ${issue.inclusive ? 'at least' : 'above'} ${issue.minimum}`;
    case 'too_big':
      if (issue.origin === 'string') return 'is too long';
      if (issue.origin === 'array') return issue.message;
      return `must be ${issue.inclusive ? 'at most' : 'below'} ${issue.maximum}`;
    case 'invalid_type':
      return `must be ${issue.expected}`;
    default:
      return issue.message;
  }
}
