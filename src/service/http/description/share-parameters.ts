import { capitalized, type Json } from './schema-shapes.ts';

/**
 * Returns the parameters that at least two operations take, by name, and puts references to them into the operations.
 * Of several with one name, the most frequent one keeps it; the others are named after the tag of their first operation.
 */
export function shareParameters(operations: readonly Json[]): Record<string, Json> {
  const uses = new Map<string, { parameter: Json; operations: Json[] }>();
  for (const operation of operations) {
    for (const parameter of (operation.parameters ?? []) as Json[]) {
      const key = JSON.stringify(parameter);
      const use = uses.get(key) ?? { parameter, operations: [] };
      use.operations.push(operation);
      uses.set(key, use);
    }
  }
  const shared = [...uses.entries()]
    .filter(([, use]) => use.operations.length > 1)
    .sort(([, a], [, b]) => b.operations.length - a.operations.length);
  const components: Record<string, Json> = {};
  const names = new Map<string, string>();
  for (const [key, { parameter, operations: takers }] of shared) {
    const plain = String(parameter.name);
    const [tag] = (takers[0]?.tags ?? []) as string[];
    const name = components[plain] === undefined ? plain : `${tag}${capitalized(plain)}`;
    if (components[name] !== undefined) throw new Error(`Two parameters would be called ${name}`);
    components[name] = parameter;
    names.set(key, name);
  }
  for (const operation of operations) {
    const parameters = (operation.parameters ?? []) as Json[];
    if (parameters.length === 0) continue;
    operation.parameters = parameters.map((parameter) => {
      const name = names.get(JSON.stringify(parameter));
      return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
    });
  }
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
}
