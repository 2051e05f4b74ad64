// `96.000 hours at $0.389/hour`.
const word = (place: number): string => `split_part(item_description, ' ', ${place})`;
const isMeasured = `${word(3)} = 'at' and ${word(2)} <> '' and ${word(1)} ~ '^[0-9]+([.][0-9]+)?$'`;

/** SQL of what an entry's text says was used; null: it does not say. */
export const quantitySql = `case when ${isMeasured} then ${word(1)}::numeric end`;

/** SQL of the unit that the text says it in, where `quantity` is SQL of what `quantitySql` gave. */
export const unitSql = (quantity: string): string => `case when ${quantity} is not null then ${word(2)} end`;
