import { fieldExamples } from './field-examples.ts';
import { unitExamples } from './number-examples.ts';
import { isObject, type Json, singular } from './schema-shapes.ts';

/** Examples of schemas, put together from those of their fields. */
export interface Examples {
  /** Returns an example of a schema; `field` is the name of the field or parameter that has it. */
  of: (schema: Json, field: string) => unknown;
  /** Fields that have none: `Component.field`. */
  missing: readonly string[];
}

const referencePattern = /^#\/components\/schemas\//;

/** Creates the examples of a document with these schemas. An `example` of a schema itself goes before those of fields. */
export function createExamples(schemas: Readonly<Record<string, Json>>): Examples {
  const missing: string[] = [];

  const referred = ({ $ref }: Json): Json | undefined => schemas[String($ref).replace(referencePattern, '')];
  const hasFields = (schema: Json): boolean => {
    const { properties, allOf } = referred(schema) ?? schema;
    return isObject(properties) || Array.isArray(allOf);
  };

  function of(schema: Json, field: string, owner: string): unknown {
    if (schema.example !== undefined) return schema.example;
    if (schema.const !== undefined) return schema.const;
    if (typeof schema.$ref === 'string') {
      const name = schema.$ref.replace(referencePattern, '');
      return of(referred(schema) ?? {}, field, hasFields(schema) ? name : owner);
    }
    const parts = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
    const given = [fieldExamples[`${owner}.${field}`], fieldExamples[field]].find(
      (each) => each !== undefined,
    );
    if (parts !== undefined) {
      if (given === null) return null;
      return of(parts.find(({ type }) => type !== 'null') ?? {}, field, owner);
    }
    if (Array.isArray(schema.allOf)) {
      return Object.assign({}, ...(schema.allOf as Json[]).map((part) => of(part, field, owner)));
    }
    if (Object.keys(schema).length === 0) return given ?? null;
    const types = [schema.type].flat();
    if (given === null && types.includes('null')) return null;
    if (Array.isArray(schema.enum)) return schema.enum.includes(given) ? given : schema.enum[0];
    if (isObject(schema.properties)) {
      return Object.fromEntries(
        Object.entries(schema.properties).map(([name, part]) => [name, of(part as Json, name, owner)]),
      );
    }
    if (types.includes('array')) {
      const items = (schema.items ?? {}) as Json;
      if (Array.isArray(given) && !hasFields(items)) return given;
      return [of(items, fieldExamples[singular(field)] === undefined ? field : singular(field), owner)];
    }
    if (types.includes('object')) return isObject(given) ? given : {};
    if (types.includes('boolean')) return given === true;
    return simpleValue(schema, given, { field, owner });
  }

  function simpleValue(schema: Json, given: unknown, at: { field: string; owner: string }): unknown {
    const types = [schema.type].flat();
    const isText = types.includes('string');
    if (isText && typeof schema.format === 'string') return ofFormat(schema.format, given);
    const pattern = new RegExp(typeof schema.pattern === 'string' ? schema.pattern : '');
    const fits = (value: unknown): boolean =>
      (typeof value === 'string' || typeof value === 'number') &&
      (isText ? pattern.test(String(value)) : !Number.isNaN(Number(value)));
    const ofUnit = unitExamples.find(([ending]) => ending.test(at.field))?.[1];
    const value = [given, ofUnit].find(fits);
    if (value === undefined) {
      if (types.includes('null')) return null;
      missing.push(`${at.owner}.${at.field}`);
      return isText ? 'text' : 1;
    }
    if (isText) return String(value);
    return types.includes('integer') ? Math.round(Number(value)) : Number(value);
  }

  return { of: (schema, field) => of(schema, field, ''), missing };
}

const moment = '2026-07-20T05:19:05Z';

function ofFormat(format: string, given: unknown): string {
  if (format === 'uuid') return '01983f2c-8b1e-7c40-9d3a-5b6e7f809a1b';
  const text = typeof given === 'string' ? given : moment;
  return format === 'date' ? text.slice(0, 10) : text;
}
