/** A part of an OpenAPI document. */
export type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objectOf = (value: unknown): Json => (isObject(value) ? value : {});

interface Operation {
  /** `GET /api/offers`. */
  route: string;
  operation: Json;
}

/** Every operation of a document. */
export const operationsOf = ({ paths }: Json): Operation[] =>
  Object.entries(objectOf(paths)).flatMap(([path, item]) =>
    Object.entries(objectOf(item)).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      operation: objectOf(operation),
    })),
  );

/** What a description lacks for the routes of an app (`GET /api/offers`), one sentence each. */
export function findGaps(document: Json, routes: readonly string[]): string[] {
  const operations = operationsOf(document);
  const described = new Set(operations.map(({ route }) => route));
  const names = operations.map(({ operation }) => operation.operationId);
  return [
    ...routes.filter((route) => !described.has(route)).map((route) => `${route} is not described`),
    ...names
      .filter((name, at) => name !== undefined && names.indexOf(name) < at)
      .map((name) => `${String(name)} is the operationId of two operations`),
    ...operations.flatMap((each) => gapsOf(document, each)),
    ...inlineSchemas(document).map((path) => `${path} is a schema without a name`),
  ];
}

function gapsOf(document: Json, { route, operation }: Operation): string[] {
  const { operationId, summary, parameters, requestBody, responses } = operation;
  const answers = Object.entries(objectOf(responses)).map(([status, answer]) => ({
    status,
    answer: objectOf(answer),
  }));
  const bodies = [requestBody, ...answers.map(({ answer }) => resolve(document, answer))];
  const lacks = [
    ...(/^[a-z]+([A-Z][a-z]+)+$/.test(String(operationId)) ? [] : ['an operationId of verb and noun']),
    ...(typeof summary === 'string' && summary !== '' ? [] : ['a summary']),
    ...['400', '421', '500'].filter((status) => objectOf(responses)[status] === undefined),
    ...(Array.isArray(parameters) ? parameters : [])
      .map((parameter) => resolve(document, objectOf(parameter)))
      .filter(({ example }) => example === undefined || example === null)
      .map(({ name }) => `an example of ${String(name)}`),
    ...bodies
      .flatMap((body) => mediaOf(body))
      .filter(lacksExample)
      .map(([type]) => `an example of ${type}`),
    ...answers
      .filter(({ answer }) => mediaOf(answer).some(([type]) => type === 'application/problem+json'))
      .map(({ status }) => `the shared response of ${status}`),
  ];
  return lacks.map((what) => `${route} lacks ${what}`);
}

const mediaOf = (body: unknown): [string, Json][] =>
  Object.entries(objectOf(objectOf(body).content)).map(([type, media]) => [type, objectOf(media)]);

/** A file in a binary format has no example. */
const lacksExample = ([, { schema, example }]: [string, Json]): boolean =>
  example === undefined && objectOf(schema).format !== 'binary';

/** Returns what a reference refers to. */
function resolve(document: Json, part: Json): Json {
  if (typeof part.$ref !== 'string') return part;
  const path = part.$ref.replace('#/', '').split('/');
  return path.reduce<Json>((within, name) => objectOf(within[name]), document);
}

/** The paths of objects that are written out within other schemas or operations. */
export function inlineSchemas(document: Json): string[] {
  const found: string[] = [];
  const walk = (part: unknown, path: string, isNamed: boolean): void => {
    if (Array.isArray(part)) part.forEach((item, at) => void walk(item, `${path}/${at}`, isNamed));
    if (!isObject(part)) return;
    if (isObject(part.properties) && !isNamed) found.push(path);
    for (const [key, value] of Object.entries(part)) {
      if (key === 'example') continue;
      const names = key === 'properties' ? Object.entries(objectOf(value)) : [];
      if (key === 'properties') for (const [name, field] of names) walk(field, `${path}/${name}`, false);
      // The parts of a component that is put together belong to it.
      else walk(value, `${path}/${key}`, key === 'allOf' && isNamed);
    }
  };
  const { schemas, ...others } = objectOf(document.components);
  for (const [name, schema] of Object.entries(objectOf(schemas))) walk(schema, name, true);
  walk(others, 'components', false);
  walk(document.paths, 'paths', false);
  return found;
}
