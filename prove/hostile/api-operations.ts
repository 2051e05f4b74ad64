/** A part of a JSON schema in the OpenAPI document, with references resolved. */
export interface Schema {
  type?: string | readonly string[];
  format?: string;
  enum?: readonly unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  items?: Schema;
  anyOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
}

/** One method of one path of the API. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with its parameters in braces. */
  path: string;
  parameters: readonly Parameter[];
  /** null: no body. */
  body: { required: boolean; schema: Schema } | null;
}

interface Document {
  paths: Record<string, Record<string, DescribedOperation>>;
  components?: { schemas?: Record<string, unknown>; parameters?: Record<string, DescribedParameter> };
}
interface DescribedParameter {
  name: string;
  in: string;
  required?: boolean;
  schema: unknown;
}
interface DescribedOperation {
  parameters?: (DescribedParameter | { $ref: string })[];
  requestBody?: { required?: boolean; content: Record<string, { schema: unknown }> };
}

/** Returns every operation of an OpenAPI document in order. */
export function readOperations(json: string): Operation[] {
  const document = JSON.parse(json) as Document;
  const { schemas = {}, parameters: shared = {} } = document.components ?? {};
  const parameterOf = (each: DescribedParameter | { $ref: string }): DescribedParameter =>
    '$ref' in each ? (shared[each.$ref.split('/').at(-1) ?? ''] as DescribedParameter) : each;
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase() as Operation['method'],
      path,
      parameters: parameters.map(parameterOf).map(({ name, in: place, required = false, schema }) => ({
        name,
        in: place as Parameter['in'],
        required,
        schema: resolve(schema, schemas),
      })),
      body:
        requestBody === undefined
          ? null
          : {
              required: requestBody.required ?? false,
              schema: resolve(requestBody.content['application/json']?.schema, schemas),
            },
    })),
  );
}

function resolve(value: unknown, schemas: Record<string, unknown>): Schema {
  return resolveAny(value, schemas) as Schema;
}

function resolveAny(value: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveAny(item, schemas));
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value) return resolveAny(schemas[String(value.$ref).split('/').at(-1) ?? ''], schemas);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolveAny(item, schemas)]));
}
