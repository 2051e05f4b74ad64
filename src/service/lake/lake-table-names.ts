/** The tables of the lake by name, known without the code that reads them. */
export const lakeTableNames = [
  'books',
  'book_slices',
  'price_intervals',
  'daily_attributes',
  'statistics',
  'price_index',
  'bills',
  'spend',
] as const;
