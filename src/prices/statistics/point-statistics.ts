import type { BookStatistics } from '../../books/landing/book-statistics.ts';
import { preparePoints, refreshPoints } from './refresh-points.sql.ts';

/** The points of books, hours, days and weeks, updated as books land. */
export const pointStatistics: BookStatistics = { prepare: preparePoints, refresh: refreshPoints };
