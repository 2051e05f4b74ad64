import { createExamples, type Examples } from './examples.ts';
import { problemComponents, shareProblems } from './problem-components.ts';
import { capitalized, isObject, type Json } from './schema-shapes.ts';
import { shareParameters } from './share-parameters.ts';
import { createSchemaNames, type SchemaNames } from './share-schemas.ts';

/** Examples of bodies that are not JSON; files in binary formats have none. */
const textExamples: Readonly<Record<string, string>> = {
  'text/plain': 'offerbook_build_info{version="1.0.0"} 1\nofferbook_database_up 1\n',
  'text/html': '<h1>cheap 4090s</h1>\n<p>RTX 4090: 0.31 USD/hour</p>\n',
  'text/markdown': '# cheap 4090s\n\n- RTX 4090: 0.31 USD/hour\n',
  'text/csv':
    'kind,entryId,start,end,amountUsd\nconsumption,7781209,2026-07-20 05:00,2026-07-20 06:00,0.41\n',
  'text/event-stream':
    'event: book\nid: 1042\ndata: {"at":"2026-07-20T05:19:05.000Z","marketId":1,"type":"on-demand"}\n\n',
  'application/rss+xml':
    '<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0"><channel><title>cheap 4090s</title></channel></rss>',
  'application/atom+xml':
    '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><title>cheap 4090s</title></feed>',
  'application/feed+json':
    '{"version":"https://jsonfeed.org/version/1","title":"cheap 4090s","items":[{"id":"1842","title":"RTX 4090: 0.31 USD/hour"}]}',
};

/**
 * Completes a generated OpenAPI document in place: shared components for schemas, parameters and errors, and an example
 * for each parameter and body. Returns it with the fields that have no example.
 */
export function completeDocument(document: Json): { document: Json; withoutExample: readonly string[] } {
  const operations = operationsOf(document.paths);
  for (const operation of operations) shareProblems(operation);
  // What receivers answer is theirs to say.
  operations.push(...operationsOf(document.webhooks));
  const components = document.components as Record<string, Record<string, Json>>;
  const given = components.schemas ?? {};
  const media = operations.flatMap(mediaOf);
  const parameters = operations.flatMap(({ parameters = [] }) => parameters as Json[]);
  const distinct = new Map(
    parameters.map((parameter) => [JSON.stringify(parameter), parameter.schema as Json]),
  );
  const names = createSchemaNames(given, [
    ...media.map(({ body }) => body.schema as Json),
    ...distinct.values(),
  ]);
  nameSchemas(names, media, parameters);
  const schemas = names.components();
  const examples = createExamples(schemas);
  addExamples(examples, media, parameters);
  components.schemas = schemas;
  components.parameters = shareParameters(operations);
  components.responses = problemComponents();
  return { document, withoutExample: [...new Set(examples.missing)] };
}

/** Returns every operation of the paths or webhooks of a document. */
const operationsOf = (items: unknown): Json[] =>
  Object.values(items as Record<string, Record<string, Json>>).flatMap((item) => Object.values(item));

interface Media {
  /** `application/json`, for example. */
  type: string;
  /** Name of its schema, unless that has one. */
  name: string;
  body: Json;
}

/** The bodies of an operation: what it takes and what it answers with. */
function mediaOf(operation: Json): Media[] {
  const taken = (operation.requestBody as Json | undefined)?.content;
  const name = capitalized(String(operation.operationId));
  const answers = Object.values(operation.responses as Record<string, Json>).map(({ content }) => content);
  return [
    ...contentOf(taken, `${name}Request`),
    ...answers.flatMap((content) => contentOf(content, `${name}Answer`)),
  ];
}

const contentOf = (content: unknown, name: string): Media[] =>
  Object.entries(isObject(content) ? content : {}).map(([type, body]) => ({
    type,
    name,
    body: body as Json,
  }));

function nameSchemas(names: SchemaNames, media: readonly Media[], parameters: readonly Json[]): void {
  for (const { body, name } of media) body.schema = names.place(body.schema as Json, name);
  for (const parameter of parameters) {
    parameter.schema = names.place(parameter.schema as Json, capitalized(String(parameter.name)));
  }
}

function addExamples(examples: Examples, media: readonly Media[], parameters: readonly Json[]): void {
  for (const { type, body } of media) {
    const schema = body.schema as Json;
    const [plain = ''] = type.split(';');
    if (plain === 'application/json' && schema.format !== 'binary') body.example = examples.of(schema, '');
    else if (schema.format !== 'binary') body.example = textExamples[plain];
  }
  for (const parameter of parameters) {
    parameter.example = examples.of(parameter.schema as Json, String(parameter.name));
  }
}
