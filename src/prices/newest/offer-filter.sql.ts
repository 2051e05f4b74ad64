import type postgres from 'postgres';
import { offerFields, type StoredField } from '../../core/offer-fields.ts';
import { conditionsOf, type OfferCondition, type OfferFilter } from '../../core/offer-filter.ts';
import type { Db } from '../../database/connection.ts';
import { usdPerHour } from './price-figures.sql.ts';

/**
 * Returns the filter as one condition over a listing (alias l), its price components (unqualified) and slow attributes:
 * alias `a` in history, `o` (latest offer) in the newest book. Without conditions it is `true`.
 */
export function filterCondition(
  db: Db,
  filter: OfferFilter,
  options: { attributes: 'a' | 'o'; storageGb: number },
): postgres.Fragment {
  const price = usdPerHour(db, options.storageGb);
  const prices = conditionsOf(filter).filter(({ field }) => field === 'usdPerHour');
  return allOf(db, [
    listingCondition(db, filter),
    attributeCondition(db, filter, options.attributes),
    ...prices.map((condition) => compare(db, price, { type: 'float8' }, condition)),
  ]);
}

/** The conditions on the listing (alias l) alone. */
export const listingCondition = (db: Db, filter: OfferFilter): postgres.Fragment =>
  storedCondition(db, filter, 'listing', 'l');

/** The conditions on slow attributes (alias `a` or `o`). */
export const attributeCondition = (db: Db, filter: OfferFilter, alias: 'a' | 'o'): postgres.Fragment =>
  storedCondition(db, filter, 'attribute', alias);

function storedCondition(
  db: Db,
  filter: OfferFilter,
  of: StoredField['of'],
  alias: 'l' | 'a' | 'o',
): postgres.Fragment {
  const conditions = conditionsOf(filter).flatMap((condition) => {
    if (condition.field === 'usdPerHour') return [];
    const field: StoredField = offerFields[condition.field];
    return field.of === of ? [compare(db, db`${db(`${alias}.${field.column}`)}`, field, condition)] : [];
  });
  return allOf(db, conditions);
}

function compare(
  db: Db,
  value: postgres.Fragment,
  { type, dictionary }: Pick<StoredField, 'type' | 'dictionary'>,
  condition: OfferCondition,
): postgres.Fragment {
  switch (condition.operator) {
    case 'is':
      return db`${value} = ${condition.value}`;
    case 'atLeast':
      return db`${value} >= ${condition.limit}::float8`;
    case 'atMost':
      return db`${value} <= ${condition.limit}::float8`;
  }
  const values = listed(db, type, condition.values);
  const among =
    dictionary === undefined
      ? db`${value} = any(${values})`
      : db`${value} in (select id from ${db(dictionary)} where name = any(${values}))`;
  return condition.operator === 'oneOf' ? among : db`coalesce(not (${among}), true)`;
}

function listed(db: Db, type: StoredField['type'], values: readonly (number | string)[]): postgres.Fragment {
  if (type === 'float8') return db`${values.map(Number)}::float8[]`;
  if (type === 'name' || type === 'text') return db`${values.map(String)}::text[]`;
  return db`${values.map(Number)}::bigint[]`;
}

const allOf = (db: Db, conditions: postgres.Fragment[]): postgres.Fragment =>
  conditions.reduce((all, condition) => db`${all} and ${condition}`, db`true`);
