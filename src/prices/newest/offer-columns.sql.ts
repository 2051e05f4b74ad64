import type postgres from 'postgres';
import { type FieldName, offerFields, type StoredField } from '../../core/offer-fields.ts';
import type { Db } from '../../database/connection.ts';

/** Where the columns of each kind are: the alias of its table. */
export type FieldAliases = Partial<Record<StoredField['of'], 'l' | 'r' | 'a' | 'o'>>;

/** Stored fields of an offer as columns of a select, by their names; needs `joinNames` for names. */
export function selectFields(db: Db, fields: readonly FieldName[], aliases: FieldAliases): postgres.Fragment {
  const columns = fields.map((name) => {
    const { of, column, dictionary }: StoredField = offerFields[name];
    const from = dictionary === undefined ? `${aliases[of]}.${column}` : `${dictionary}.name`;
    return db`${db(from)} as ${db(name)}`;
  });
  return columns.reduce((list, column) => db`${list}, ${column}`);
}

/** The names that attributes (alias `a` or `o`) have the ids of. */
export function joinNames(db: Db, alias: 'a' | 'o'): postgres.Fragment {
  return db`left join country on country.id = ${db(alias)}.country_id
    left join verification_tier on verification_tier.id = ${db(alias)}.verification_tier_id`;
}
