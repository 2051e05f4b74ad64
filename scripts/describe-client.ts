import { compile } from 'json-schema-to-typescript';

const head = '// Made by `npm run openapi` from docs/openapi.json. Do not edit.\n';

type Schema = Record<string, unknown>;

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Operation {
  operationId: string;
  summary: string;
  deprecated?: boolean;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { required?: boolean; content: { 'application/json': { schema: Schema } } };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

interface Described {
  name: string;
  method: string;
  path: string;
  operation: Operation;
  /** The schema of its parameters and body; null: it takes none. */
  params: Schema | null;
  /** The type that it resolves to. */
  answer: string;
}

/** Returns the generated files of the client by their names, from an OpenAPI document, given as JSON text. */
export async function describeClient(text: string): Promise<Record<string, string>> {
  const document = JSON.parse(text) as Document;
  const described = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) =>
      describeOperation(document, { method: method.toUpperCase(), path, operation }),
    ),
  );
  const schemas = await describeSchemas(document, described);
  return {
    'client.d.ts': `${schemas}${describeInterface(described)}`,
    'operations.js': describeTable(described, ' = '),
    'operations.d.ts': describeTable(described, ': '),
  };
}

function describeOperation(
  { components }: Document,
  { method, path, operation }: Pick<Described, 'method' | 'path' | 'operation'>,
): Described {
  const parameters = (operation.parameters ?? []).map((each) =>
    '$ref' in each ? (components.parameters[each.$ref.split('/').at(-1) ?? ''] as Parameter) : each,
  );
  const body = operation.requestBody;
  const fields = parameters.map(({ name, required, description, schema }) => ({
    name: camelCase(name),
    required: required === true,
    schema: description === undefined ? schema : { ...schema, description },
  }));
  if (body !== undefined) {
    const { schema } = body.content['application/json'];
    fields.push({ name: 'body', required: body.required === true, schema });
  }
  const names = fields.map(({ name }) => name);
  if (new Set(names).size < names.length) {
    throw new Error(`${operation.operationId} has two parameters of one name: ${names.join(', ')}`);
  }
  const params = {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
  const answer = answerOf(operation);
  return {
    name: operation.operationId,
    method,
    path,
    operation,
    params: fields.length === 0 ? null : params,
    answer,
  };
}

/** The type of an operation's answer: that of its JSON, null without content, otherwise the response itself. */
function answerOf({ operationId, responses }: Operation): string {
  const contents = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => content);
  if (contents.every((content) => content === undefined)) return 'null';
  const schemas = contents.map((content) => content?.['application/json']?.schema);
  if (schemas.some((schema) => schema === undefined || schema.format === 'binary')) return 'Response';
  const names = schemas.flatMap((schema) => ((schema?.anyOf as Schema[]) ?? [schema]).map(nameOf));
  if (names.some((name) => name === null))
    throw new Error(`${operationId} answers with a schema without a name`);
  return [...new Set(names)].join(' | ');
}

const nameOf = (schema: Schema | undefined): string | null =>
  typeof schema?.$ref === 'string' ? (schema.$ref.split('/').at(-1) ?? null) : null;

/** `idempotency-key` → `idempotencyKey`. */
const camelCase = (name: string): string =>
  name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const paramsName = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}Params`;

/** One exported type for each schema and for the parameters of each operation. */
async function describeSchemas({ components }: Document, described: readonly Described[]): Promise<string> {
  const params = described
    .filter((each) => each.params !== null)
    .map(({ name, params }) => [paramsName(name), params]);
  const $defs = Object.fromEntries([...Object.entries(components.schemas), ...params]);
  const schema = { type: 'object', additionalProperties: false, $defs: withPlainReferences($defs) } as const;
  const source = await compile(schema, 'Root', {
    bannerComment: head,
    unreachableDefinitions: true,
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 110 },
  });
  return (
    source
      .replace('export interface Root {}\n', '')
      .replaceAll(
        /\n? \*(?: ?\n \*)? This \w+ was referenced by `Root`'s JSON-Schema\n \* via the `definition` "\w+"\./g,
        '',
      )
      .replaceAll(/\/\*\*\s+\*\/\n/g, '')
      .replaceAll(/\/\*\*\n\s+\* (.*)\n\s+\*\//g, '/** $1 */')
      // A field that is undefined is not sent.
      .replaceAll(
        /^(\s+[\w']+\?):(\n\s+\|)?/gm,
        (_, name: string, nextLine = ' |') => `${name}: undefined${nextLine}`,
      )
  );
}

/** References as the compiler reads them: with a text beside one it would write out what is referred to. */
function withPlainReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPlainReferences);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, example: _, ...rest } = value as Schema;
  const plain = Object.fromEntries(
    Object.entries(rest).map(([name, part]) => [name, withPlainReferences(part)]),
  );
  if (typeof $ref !== 'string') return plain;
  const reference = { $ref: $ref.replace('#/components/schemas/', '#/$defs/') };
  return Object.keys(plain).length === 0 ? reference : { ...plain, allOf: [reference] };
}

function describeInterface(described: readonly Described[]): string {
  const methods = described.map(({ name, params, answer, operation: { summary, deprecated } }) => {
    const isOptional = params !== null && (params.required as string[]).length === 0;
    const given =
      params === null ? 'params?: NoParams' : `params${isOptional ? '?' : ''}: ${paramsName(name)}`;
    const comment = `  /** ${summary.replaceAll('*/', '* /')}${deprecated === true ? '. @deprecated' : ''} */\n`;
    return `${comment}  ${name}(${given}, options?: CallOptions): Promise<${answer}>;\n`;
  });
  return `${runtimeTypes}
/** A function for each operation of the API. Each rejects with an ApiError for every status but 2xx. */
export interface Operations {
${methods.join('')}}
`;
}

const runtimeTypes = `
/** An operation that takes no parameters. */
export type NoParams = Record<string, never>;

/** What every call takes beside its parameters. */
export interface CallOptions {
  signal?: AbortSignal | null | undefined;
  headers?: Record<string, string> | undefined;
}

/** Values of a query: undefined ones are left out, lists are repeated. */
export type Query = Readonly<
  Record<string, string | number | boolean | readonly (string | number)[] | null | undefined>
>;

/** What a request sends besides its path. */
export interface OpenOptions extends CallOptions {
  query?: Query | undefined;
  /** Sent as JSON. */
  body?: unknown;
}

/** A client of one server. */
export interface Client extends Operations {
  /** Sends a request to a path, for what has no operation. Resolves to the response; rejects as the operations do. */
  open(method: string, path: string, options?: OpenOptions): Promise<Response>;
}

/** Where the server is and what every request has; what else \`fetch\` takes is passed on. */
export interface ClientOptions extends Omit<RequestInit, 'method' | 'headers' | 'body' | 'signal'> {
  /** @default the page's own origin */
  baseUrl?: string | undefined;
  /** Sent as \`Authorization: Bearer …\`; null: none. */
  token?: string | null | undefined;
  /** @default the global one */
  fetch?: ((address: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** Creates a client with a function for each operation, named by its \`operationId\`. Sends nothing by itself. */
export function createClient(options?: ClientOptions): Client;

/** Creates a client with these operations of \`operations.js\` only, so that a bundler leaves out the others. */
export function createClientOf<Name extends keyof Operations>(
  operations: Record<Name, string>,
  options?: ClientOptions,
): Pick<Client, Name | 'open'>;

/** Returns the path of an operation of \`operations.js\` with its query, for links and other ways to ask. */
export function pathOf(operation: string, params?: Query): string;

/** An error that the server answered with. */
export class ApiError extends Error {
  constructor(fields: ApiErrorFields, options?: ErrorOptions);
  readonly status: number;
  /** Stable name such as \`guard-refused\`; null: none. */
  readonly kind: string | null;
  /** The problem details; null: the answer has none. */
  readonly problem: Partial<Problem> | null;
  /** Seconds to wait, as the server requested; null: not stated. */
  readonly retryAfterSeconds: number | null;
}

export interface ApiErrorFields {
  status: number;
  problem: Partial<Problem> | null;
  retryAfterSeconds: number | null;
}
`;

function describeTable(described: readonly Described[], is: string): string {
  const rows = described.map(({ name, method, path, answer }) => {
    const kind = answer === 'Response' ? ' response' : '';
    return `export const ${name}${is}'${method} ${path}${kind}';\n`;
  });
  return `${head}
// Method and path of each operation; \`response\`: it resolves to the response itself.
${rows.join('')}`;
}
