import { compile } from 'json-schema-to-typescript';

const head = '// Made by `npm run openapi` from docs/openapi.json. Do not edit.\n';

/** Returns TypeScript source with one exported type for each schema of an OpenAPI document, given as JSON text. */
export async function describeTypes(document: string): Promise<string> {
  const { components } = JSON.parse(document.replaceAll('#/components/schemas/', '#/$defs/')) as {
    components: { schemas: Record<string, object> };
  };
  const schema = { type: 'object', additionalProperties: false, $defs: components.schemas } as const;
  const source = await compile(schema, 'Root', {
    ...{ bannerComment: head, unreachableDefinitions: true, additionalProperties: false },
    style: { singleQuote: true, printWidth: 110 },
  });
  return source
    .replace('export interface Root {}\n', '')
    .replaceAll(
      /\n? \*(?: ?\n \*)? This \w+ was referenced by `Root`'s JSON-Schema\n \* via the `definition` "\w+"\./g,
      '',
    )
    .replaceAll(/\/\*\*\s+\*\/\n/g, '')
    .replaceAll(/\/\*\*\n\s+\* (.*)\n\s+\*\//g, '/** $1 */');
}
