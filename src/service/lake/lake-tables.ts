import type { LakeQuery } from '../../exports/lake/lake-query.ts';
import { bookSlicesTable, booksTable } from '../../prices/lake/book-tables.sql.ts';
import { dailyAttributesTable, priceIntervalsTable } from '../../prices/lake/listing-tables.sql.ts';
import { priceIndexTable, statisticsTable } from '../../prices/lake/statistics-tables.sql.ts';
import { billsTable, spendTable } from '../../spend/lake/bill-tables.sql.ts';

/** Every table of the lake, in the order in which it is written. */
export const lakeTables: readonly LakeQuery[] = [
  booksTable,
  bookSlicesTable,
  priceIntervalsTable,
  dailyAttributesTable,
  statisticsTable,
  priceIndexTable,
  billsTable,
  spendTable,
];
