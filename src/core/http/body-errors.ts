import type { ZodError } from 'zod';
import { closestOf } from '../did-you-mean.ts';
import { ApiProblem, type FieldError } from './problem.ts';

type Issue = ZodError['issues'][number];

/** Returns the field names that an object in a body knows, given its path. */
export type KeysAt = (path: readonly PropertyKey[]) => readonly string[];

/** Returns what is wrong with which field of a body, by its full name: `filters.minVramGb`. */
export const bodyErrors = (error: ZodError, keysAt: KeysAt = () => []): FieldError[] => {
  const errors = error.issues.flatMap((issue) => explain(issue, keysAt));
  // Zod reports each wrong item of a list as a separate issue.
  return errors.filter(({ name, detail }, at) => {
    const first = errors.findIndex((other) => other.name === name && other.detail === detail);
    return first === at;
  });
};

/** Returns the 400 that names all wrong fields. */
export function fieldsProblem(errors: readonly FieldError[]): ApiProblem {
  // A detail that is a complete sentence already names the field.
  const parts = errors.map(({ name, detail }) => (/^[A-Z]/.test(detail) ? detail : `\`${name}\` ${detail}`));
  const detail = parts.reduce((text, part) => `${text}${/[.?]$/.test(text) ? '' : ';'} ${part}`);
  return new ApiProblem(400, 'invalid-request', detail, { errors });
}

/** Names that users of similar APIs type, with the one here. */
const otherWords: Readonly<Record<string, string>> = {
  model: 'gpuName',
  gpu: 'gpuName',
  gpus: 'numGpus',
  count: 'limit',
  price: 'maxUsdPerHour',
  maxPrice: 'maxUsdPerHour',
  region: 'country',
  location: 'country',
  vram: 'minVramGb',
  disk: 'minDiskGb',
  cuda: 'minCuda',
  verified: 'verification',
  since: 'from',
  start: 'from',
  until: 'to',
  end: 'to',
  interval: 'bucket',
  top: 'limit',
  sort: 'by',
};

/**
 * Returns `Unknown parameter \`contry\`. Did you mean \`country\`?`; `within` is the path to a field of a nested
 * object.
 */
export function unknownKey(
  what: 'parameter' | 'field',
  key: string,
  known: readonly string[],
  within: readonly string[] = [],
): string {
  const other = otherWords[key];
  const closest = other !== undefined && known.includes(other) ? other : closestOf(key, known);
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
    // Filters are checked as query parameters, which are text until they are read.
    if (issue.path[0] === 'filters' && issue.path.length > 1) return 'takes a single value';
  }
  return describeIssue(issue);
}

const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'a text',
};

/** Returns what is wrong with a value: `must be at least 1`. */
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
      if (issue.message.endsWith('received undefined')) return 'is missing';
      return `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case 'invalid_format':
      return issue.format === 'uuid' ? 'must be an id (a UUID)' : issue.message;
    case 'invalid_union':
      return 'is not valid: /api/docs shows what it takes';
    default:
      return issue.message;
  }
}
