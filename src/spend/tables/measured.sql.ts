// For text such as `96.000 hours at $0.389/hour`.
const word = (place: number): string => `split_part(item_description, ' ', ${place})`;
const isMeasured = `${word(3)} = 'at' and ${word(2)} <> '' and ${word(1)} ~ '^[0-9]+([.][0-9]+)?$'`;

/** SQL of the quantity in an entry's text; null: it states none. */
export const quantitySql = `case when ${isMeasured} then ${word(1)}::numeric end`;

/** SQL of the unit in the text, where `quantity` is SQL of the result of `quantitySql`. */
export const unitSql = (quantity: string): string => `case when ${quantity} is not null then ${word(2)} end`;
