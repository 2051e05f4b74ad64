import { z } from '@hono/zod-openapi';
import {
  type FieldName,
  type FieldValues,
  offerFields,
  type StoredField,
  verificationTiers,
} from '../offer-fields.ts';

/** Stored fields of an offer, as responses contain them. */
export function fieldSchemas<Name extends FieldName>(
  names: readonly Name[],
): { [Each in Name]: z.ZodType<FieldValues[Each]> } {
  const schemas = names.map((name) => {
    const { isNeverNull, note, ...field }: StoredField = offerFields[name];
    const schema = isNeverNull === true ? valueSchema(field) : valueSchema(field).nullable();
    return [name, note === undefined ? schema : schema.openapi({ description: note })];
  });
  return Object.fromEntries(schemas);
}

function valueSchema({ type, dictionary }: Pick<StoredField, 'type' | 'dictionary'>): z.ZodType {
  switch (type) {
    case 'bigint':
    case 'smallint':
      return z.int();
    case 'integer':
    case 'float8':
      return z.number();
    case 'boolean':
      return z.boolean();
    case 'bigint[]':
      return z.array(z.int());
    case 'text':
      return z.string();
    case 'name':
      return dictionary === 'verification_tier' ? z.enum(verificationTiers) : z.string();
  }
}
