import { betterNames, sharedNames } from './schema-names.ts';
import { apartFromUse, capitalized, isObject, type Json, partsOf, singular } from './schema-shapes.ts';

/** Names schemas within others, and returns references to them. */
export interface SchemaNames {
  /** Returns the schema, or a reference to its component; `name` is its name unless it has a shared one. */
  place: (schema: Json, name: string) => Json;
  /** Every component, in the order in which they were named. */
  components: () => Record<string, Json>;
}

/**
 * Creates the names of schemas: each object within another gets a component, and so does each list of values that at
 * least two schemas have. Schemas of the same shape share one. `others` are schemas outside of the components.
 */
export function createSchemaNames(given: Record<string, Json>, others: readonly Json[]): SchemaNames {
  const components: Record<string, Json> = {};
  const names = new Map<string, string>();
  const uses = countLists([...Object.values(given), ...others]);

  /** The component of a shape; it is made for the first one. */
  function nameOf(bare: Json, name: string): string {
    const key = JSON.stringify(bare);
    const known = names.get(key);
    if (known !== undefined) return known;
    const wanted = [sharedNames[shapeOf(bare)], betterNames[name] ?? name].find(
      (each) => each !== undefined && given[each] === undefined && components[each] === undefined,
    );
    if (wanted === undefined) throw new Error(`Two schemas would be called ${name}`);
    names.set(key, wanted);
    // Its place is before those of the schemas within it.
    components[wanted] = {};
    components[wanted] = inside(bare, wanted);
    return wanted;
  }

  function place(schema: Json, name: string): Json {
    const { bare, use, isNullable } = apartFromUse(simplified(schema));
    const isList = Array.isArray(bare.enum) && (uses.get(listKey(bare)) ?? 0) > 1;
    const isNamed = isList || isObject(bare.properties) || Array.isArray(bare.allOf);
    if (!isNamed) return inside(simplified(schema), name);
    const reference = { $ref: `#/components/schemas/${nameOf(bare, name)}` };
    return isNullable ? { anyOf: [reference, { type: 'null' }], ...use } : { ...reference, ...use };
  }

  /** The schema with its parts named. */
  function inside(schema: Json, name: string): Json {
    const changed = structuredClone(schema);
    for (const { part, within, of } of partsOf(schema)) {
      if (within === 'allOf') (changed.allOf as Json[])[Number(of)] = inside(part, name);
      else if (within === 'properties')
        (changed.properties as Json)[of] = place(part, `${name}${capitalized(of)}`);
      else if (within === 'items') changed.items = place(part, singular(name));
      else if (within === 'additionalProperties') changed.additionalProperties = place(part, `${name}Value`);
      else
        (changed[within] as Json[])[Number(of)] = place(part, of === '0' ? name : `${name}${Number(of) + 1}`);
    }
    return changed;
  }

  for (const [name, schema] of Object.entries(given)) {
    const { bare, isNullable } = apartFromUse(schema);
    if (!isNullable) names.set(JSON.stringify(bare), name);
  }
  for (const [name, schema] of Object.entries(given)) components[name] = inside(schema, name);
  return { place, components: () => components };
}

/** What a shared name is found by: the values of a list, or the fields of an object, `!` where no others may be. */
function shapeOf(bare: Json): string {
  if (Array.isArray(bare.enum)) return bare.enum.join('|');
  const fields = Object.keys(isObject(bare.properties) ? bare.properties : {}).join(',');
  return bare.additionalProperties === false ? `!${fields}` : fields;
}

const listKey = ({ enum: values }: Json): string => JSON.stringify(values);

/** How many schemas have each list of at least two values. */
function countLists(schemas: readonly Json[]): Map<string, number> {
  const uses = new Map<string, number>();
  const count = (schema: Json): void => {
    const { bare } = apartFromUse(schema);
    if (Array.isArray(bare.enum) && bare.enum.length > 1) {
      uses.set(listKey(bare), (uses.get(listKey(bare)) ?? 0) + 1);
    }
    for (const { part } of partsOf(schema)) count(part);
  };
  for (const schema of schemas) count(schema);
  return uses;
}

/** Writes `allOf` of a reference and what is said about its use as a reference with that. */
function simplified(schema: Json): Json {
  const [reference, said, ...others] = Array.isArray(schema.allOf) ? (schema.allOf as Json[]) : [];
  if (reference?.$ref === undefined || said === undefined || others.length > 0) return schema;
  const { type, ...use } = said;
  if (Object.keys(use).some((key) => key !== 'description' && key !== 'default')) return schema;
  const isNullable = [type].flat().includes('null');
  return isNullable ? { anyOf: [reference, { type: 'null' }], ...use } : { ...reference, ...use };
}
