import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Described {
  method: string;
  path: RegExp;
  route: string;
  statuses: readonly string[];
  /** Parts of the path that are parameters: of several routes the one with the fewest answers. */
  parameters: number;
}

let described: readonly Described[] | undefined;

/** Throws if docs/openapi.json does not name the status of an answer; what is not described is not judged. */
export function requireDescribed(method: string, address: string, status: number): void {
  if (status < 400) return;
  const { pathname } = new URL(address, 'http://localhost');
  described ??= readDescription();
  const [found] = described
    .filter((each) => each.method === method && each.path.test(pathname))
    .sort((a, b) => a.parameters - b.parameters);
  if (found === undefined || found.statuses.includes(String(status))) return;
  throw new Error(
    `${found.route} answered ${status}, which its description does not name: ${found.statuses.join(', ')}`,
  );
}

function readDescription(): Described[] {
  const { paths } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8'),
  ) as {
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      path: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      route: `${method.toUpperCase()} ${path}`,
      statuses: Object.keys(responses),
      parameters: path.split('{').length - 1,
    })),
  );
}
