import type { ZodError } from 'zod';
import { ApiProblem, type FieldError } from './problem.ts';

type Issue = ZodError['issues'][number];

/** What is wrong with which field of a body, by its whole name: `filters.minVramGb`. */
export const bodyErrors = (error: ZodError): FieldError[] => {
  const errors = error.issues.flatMap(explain);
  // Of a list each wrong item is an issue of its own.
  return errors.filter(({ name, detail }, at) => {
    const first = errors.findIndex((other) => other.name === name && other.detail === detail);
    return first === at;
  });
};

/** The 400 that names all of them. */
export function fieldsProblem(errors: readonly FieldError[]): ApiProblem {
  const detail = errors.map(({ name, detail: what }) => `\`${name}\` ${what}`).join('; ');
  return new ApiProblem(400, 'invalid-request', detail, { errors });
}

function explain(issue: Issue): FieldError[] {
  const path = issue.path.filter((part) => typeof part !== 'number').map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ name: [...path, key].join('.'), detail: 'is no field of this body' }));
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
