import { problemDescriptions, problemTitles } from '../../../core/http/problem.ts';
import type { Json } from './schema-shapes.ts';

interface ProblemExample {
  kind: string;
  detail: string;
  errors?: { name: string; detail: string }[];
  headers?: Json;
}

const integerHeader = (description: string): Json => ({ description, schema: { type: 'integer' } });
const retryAfter = { 'Retry-After': integerHeader('Seconds to wait') };

const examples: Readonly<Record<keyof typeof problemDescriptions, ProblemExample>> = {
  400: {
    kind: 'invalid-request',
    detail: 'Unknown parameter `contry`. Did you mean `country`?',
    errors: [{ name: 'contry', detail: 'Unknown parameter `contry`. Did you mean `country`?' }],
  },
  401: {
    kind: 'not-authenticated',
    detail: 'Send a valid token: Authorization: Bearer <token>.',
    headers: { 'WWW-Authenticate': { description: '`Bearer`', schema: { type: 'string' } } },
  },
  403: {
    kind: 'role-too-low',
    detail: "This needs the role operator; the token's is viewer.",
  },
  404: {
    kind: 'not-found',
    detail: 'There is no watch with this id.',
  },
  409: {
    kind: 'guard-refused',
    detail: 'The rental would exceed MAX_USD_PER_HOUR.',
    errors: [{ name: 'maxUsdPerHour', detail: 'limit 2, value 2.41' }],
  },
  410: {
    kind: 'offer-gone',
    detail: 'The offer is gone: choose another.',
  },
  413: {
    kind: 'body-too-large',
    detail: 'The body is larger than 64 KB: send less.',
  },
  415: {
    kind: 'unsupported-body',
    detail: 'Send the body as application/json.',
  },
  421: {
    kind: 'foreign-host',
    detail:
      'This server does not accept requests for the host "gpu.example.org". If browsers reach it by that name, set PUBLIC_URL to the address.',
  },
  422: {
    kind: 'key-reused',
    detail: 'The key night-7 was used for another request: use a new one.',
  },
  429: {
    kind: 'too-many-attempts',
    detail: 'Too many wrong tokens came from this address: try again in 4 s.',
    headers: retryAfter,
  },
  500: {
    kind: 'internal-error',
    detail: 'The request failed unexpectedly: the log of the service has the reason.',
  },
  502: {
    kind: 'market-error',
    detail: 'The marketplace answered with 503: try again later.',
  },
  503: {
    kind: 'database-unreachable',
    detail: 'The database cannot be reached: try again shortly.',
    headers: retryAfter,
  },
};

const titleOf = (status: number | string): string => problemTitles[Number(status)] ?? 'Error';

/** `Too many attempts` → `TooManyAttempts`. */
const nameOf = (status: number | string): string =>
  titleOf(status).replaceAll(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns the error responses that all operations share, by name. */
export const problemComponents = (): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(examples).map(([status, { kind, detail, errors = [], headers }]) => [
      nameOf(status),
      {
        description: problemDescriptions[Number(status) as keyof typeof problemDescriptions],
        ...(headers === undefined ? {} : { headers }),
        content: {
          'application/problem+json': {
            schema: { $ref: '#/components/schemas/Problem' },
            example: {
              type: `/api/docs#${kind}`,
              title: titleOf(status),
              status: Number(status),
              detail,
              errors,
              traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
            },
          },
        },
      },
    ]),
  );

/** What any operation may answer with, what one behind a token may, and what one with a body may. */
const common = { all: [400, 421, 500], behindToken: [401, 403, 429, 503], withBody: [413, 415] };

/** Refers to the shared error responses: those that the operation names, and those that any like it may answer with. */
export function shareProblems(operation: Json): void {
  const responses = operation.responses as Record<string, Json>;
  const isOpen = Array.isArray(operation.security) && operation.security.length === 0;
  const added = [
    ...common.all,
    ...(isOpen ? [] : common.behindToken),
    ...(operation.requestBody === undefined ? [] : common.withBody),
  ];
  for (const status of added) responses[status] ??= { content: { 'application/problem+json': {} } };
  for (const [status, { content }] of Object.entries(responses)) {
    if ((content as Json | undefined)?.['application/problem+json'] === undefined) continue;
    responses[status] = { $ref: `#/components/responses/${nameOf(status)}` };
  }
}
