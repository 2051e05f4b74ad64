import type postgres from 'postgres';
import { type FieldName, offerFields, type StoredField } from '../../core/offer-fields.ts';
import type { Db } from '../../database/connection.ts';

/** The table alias for each kind of column. */
export type FieldAliases = Partial<Record<StoredField['of'], 'l' | 'r' | 'a' | 'o'>>;

/** Selects stored fields of an offer as columns with their names; names need `joinNames`. */
export function selectFields(db: Db, fields: readonly FieldName[], aliases: FieldAliases): postgres.Fragment {
  const columns = fields.map((name) => {
    const { of, column, dictionary }: StoredField = offerFields[name];
    const from = dictionary === undefined ? `${aliases[of]}.${column}` : `${dictionary}.name`;
    return db`${db(from)} as ${db(name)}`;
  });
  return columns.reduce((list, column) => db`${list}, ${column}`);
}

/** Joins the names whose ids attributes have (alias `a` or `o`). */
export function joinNames(db: Db, alias: 'a' | 'o'): postgres.Fragment {
  return db`left join country on country.id = ${db(alias)}.country_id
    left join verification_tier on verification_tier.id = ${db(alias)}.verification_tier_id`;
}
