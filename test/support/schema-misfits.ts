/** A part of a JSON schema. */
type Json = Record<string, unknown>;

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/**
 * Returns why a value does not fit a schema of an API description, with where in it; empty: it fits. An object may not
 * have fields that its schema does not name, because a client would not know them.
 */
export function findMisfits(
  value: unknown,
  schema: Json,
  components: Readonly<Record<string, Json>>,
): string[] {
  const look = (part: unknown, given: Json, path: string): string[] => {
    if (typeof given.$ref === 'string') {
      const { $ref, ...use } = given;
      return look(part, { ...components[$ref.split('/').at(-1) ?? ''], ...use }, path);
    }
    const any = (given.anyOf ?? given.oneOf) as Json[] | undefined;
    if (any !== undefined) {
      const tries = any.map((each) => look(part, each, path));
      return (
        tries.find((misfits) => misfits.length === 0) ?? [
          `${path} fits none: ${tries.flat().slice(0, 3).join('; ')}`,
        ]
      );
    }
    if (Array.isArray(given.allOf)) return look(part, merged(given.allOf as Json[], components), path);
    const types = [given.type ?? []].flat();
    const is = typeOf(part);
    const fits =
      types.length === 0 || types.includes(is) || (types.includes('integer') && Number.isInteger(part));
    if (!fits) return [`${path} is ${is}, not ${types.join(' or ')}`];
    if (Array.isArray(given.enum) && !given.enum.includes(part))
      return [`${path} is ${JSON.stringify(part)}`];
    if (is === 'array' && given.items !== undefined) {
      return (part as unknown[]).flatMap((item, at) => look(item, given.items as Json, `${path}/${at}`));
    }
    return is === 'object' ? lookInside(part as Json, given, path) : [];
  };

  function lookInside(part: Json, given: Json, path: string): string[] {
    const properties = (given.properties ?? {}) as Record<string, Json>;
    const others = given.additionalProperties;
    const missing = ((given.required ?? []) as string[]).filter((name) => part[name] === undefined);
    return [
      ...missing.map((name) => `${path} has no ${name}`),
      ...Object.entries(part).flatMap(([name, item]) => {
        const within = `${path}/${name}`;
        if (properties[name] !== undefined) return look(item, properties[name], within);
        if (typeof others === 'object') return look(item, others as Json, within);
        return given.properties === undefined ? [] : [`${within} is not described`];
      }),
    ];
  }

  return look(value, schema, '');
}

/** Several schemas that all hold, as one. */
function merged(parts: readonly Json[], components: Readonly<Record<string, Json>>): Json {
  const whole = parts.map((part) => {
    const named =
      typeof part.$ref === 'string' ? (components[part.$ref.split('/').at(-1) ?? ''] ?? {}) : part;
    return Array.isArray(named.allOf) ? merged(named.allOf as Json[], components) : named;
  });
  return {
    type: 'object',
    properties: Object.assign({}, ...whole.map(({ properties }) => properties)),
    required: whole.flatMap(({ required }) => (required ?? []) as string[]),
  };
}
