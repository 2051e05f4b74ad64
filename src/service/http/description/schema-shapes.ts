/** A part of the OpenAPI document, as JSON. */
export type Json = { [name: string]: unknown };

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the text with its first letter in upper case. */
export const capitalized = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** Returns the name of one item of a list with this name: `books` → `book`; `series` stays. */
export const singular = (name: string): string =>
  name.endsWith('series') || name.endsWith('Series')
    ? name
    : name
        .replace(/ies$/, 'y')
        .replace(/(ss|us)es$/, '$1')
        .replace(/([^su])s$/, '$1');

/** Returns a schema apart from what is said about one use of it, and that. */
export function apartFromUse(schema: Json): { bare: Json; use: Json; isNullable: boolean } {
  const { description, default: unset, ...rest } = schema;
  const use = {
    ...(description === undefined ? {} : { description }),
    ...(unset === undefined ? {} : { default: unset }),
  };
  const types = [rest.type].flat();
  if (types.length < 2 || !types.includes('null')) return { bare: rest, use, isNullable: false };
  const [type] = types.filter((each) => each !== 'null');
  const values = Array.isArray(rest.enum) ? { enum: rest.enum.filter((value) => value !== null) } : {};
  return { bare: { ...rest, type, ...values }, use, isNullable: true };
}

/** Returns the schemas directly within a schema, each with what the name of it adds to the name of the whole. */
export function partsOf(schema: Json): { part: Json; within: string; of: string }[] {
  const { properties, items, additionalProperties, anyOf, oneOf, allOf } = schema;
  return [
    ...Object.entries(isObject(properties) ? properties : {}).map(([of, part]) => ({
      part,
      within: 'properties',
      of,
    })),
    { part: items, within: 'items', of: '' },
    { part: additionalProperties, within: 'additionalProperties', of: '' },
    ...Object.entries({ anyOf, oneOf, allOf }).flatMap(([within, parts]) =>
      Array.isArray(parts) ? parts.map((part, at) => ({ part, within, of: String(at) })) : [],
    ),
  ].filter((each): each is { part: Json; within: string; of: string } => isObject(each.part));
}
