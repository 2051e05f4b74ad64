/** Where a field is: names, and `*` for every row of a list. */
export type FieldPath = readonly string[];

/** A copy of an answer's body with the field gone, or with a value of another type. */
export function changeField(body: unknown, path: FieldPath, change: 'missing' | 'mistyped'): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return mistype(body);
  if (name === '*')
    return Array.isArray(body) ? body.map((row: unknown) => changeField(row, rest, change)) : body;
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return body;
  const fields = body as Readonly<Record<string, unknown>>;
  if (rest.length > 0) return { ...fields, [name]: changeField(fields[name], rest, change) };
  if (change === 'mistyped') return { ...fields, [name]: mistype(fields[name]) };
  const { [name]: _gone, ...others } = fields;
  return others;
}

/** Text for everything but text, which becomes a number; flags and lists too. */
function mistype(value: unknown): unknown {
  if (typeof value === 'string') return 7;
  if (Array.isArray(value)) return { '0': value[0] ?? null };
  return typeof value === 'object' && value !== null ? [value] : String(value);
}
