import type { ExportColumn } from '../export-column.ts';

/** A sheet of data that was written. */
export interface DataSheet {
  name: string;
  columns: readonly ExportColumn[];
  /** Its last row, the head being the first. */
  lastRow: number;
}
