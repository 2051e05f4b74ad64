import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findMisfits } from './schema-misfits.ts';

type Json = Record<string, unknown>;
type Answer = { content?: Record<string, { schema: Json }> };

interface Described {
  method: string;
  path: RegExp;
  route: string;
  answers: Readonly<Record<string, Answer>>;
  /** Parts of the path that are parameters: of several routes the one with the fewest answers. */
  parameters: number;
}

interface Description {
  operations: readonly Described[];
  schemas: Readonly<Record<string, Json>>;
}

let description: Description | undefined;

/**
 * Throws if docs/openapi.json does not name the status of an answer, or if its JSON is not as described there. What is
 * not described at all is not judged.
 */
export async function requireDescribed(method: string, address: string, response: Response): Promise<void> {
  const { pathname } = new URL(address, 'http://localhost');
  description ??= readDescription();
  const [found] = description.operations
    .filter((each) => each.method === method && each.path.test(pathname))
    .sort((a, b) => a.parameters - b.parameters);
  const { status } = response;
  if (found === undefined || status === 304) return;
  const answer = found.answers[status];
  if (answer === undefined) {
    const known = Object.keys(found.answers).join(', ');
    throw new Error(`${found.route} answered ${status}, which its description does not name: ${known}`);
  }
  const type = response.headers.get('content-type')?.split(';')[0] ?? '';
  const schema = answer.content?.[type]?.schema;
  if (type !== 'application/json' || schema === undefined || schema.format === 'binary') return;
  const [misfit] = findMisfits(await response.clone().json(), schema, description.schemas);
  if (misfit !== undefined) throw new Error(`${found.route} answered otherwise than described: ${misfit}`);
}

function readDescription(): Description {
  const { paths, components } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8'),
  ) as {
    paths: Record<string, Record<string, { responses: Record<string, Answer> }>>;
    components: { schemas: Record<string, Json> };
  };
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      path: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      route: `${method.toUpperCase()} ${path}`,
      answers: responses,
      parameters: path.split('{').length - 1,
    })),
  );
  return { operations, schemas: components.schemas };
}
