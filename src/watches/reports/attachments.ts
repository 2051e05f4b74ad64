import { buffer } from 'node:stream/consumers';
import { cutText } from '../../core/cut-text.ts';
import { csvDialect, writeCsv } from '../../exports/csv.ts';
import { cellOf } from '../../exports/export-cell.ts';
import { columnsOf } from '../../exports/export-column.ts';
import { type ExportRows, oneGroup } from '../../exports/table.ts';
import { writeXlsx } from '../../exports/xlsx/workbook.ts';
import type { Notice } from '../channels/notice.ts';
import type { AttachmentFormat } from './attachment-formats.ts';
import { type Report, reportOf } from './report.ts';

/** Columns of the files, which contain every item in rank order. */
const columns = columnsOf({
  rank: 'integer',
  offerId: 'integer',
  listingId: 'text',
  machineId: 'integer',
  hostId: 'integer',
  gpuName: 'text',
  numGpus: 'integer',
  type: 'text',
  verification: 'text',
  country: 'text',
  reliability: 'number',
  value: 'number',
  usdPerHour: 'number',
  usdPerGpuHour: 'number',
  allInUsdPerHour: 'number',
  isOutlier: 'boolean',
  change: 'text',
  previousUsdPerHour: 'number',
  url: 'text',
  market: 'text',
});

const rowsOf = ({ items }: Report): ExportRows =>
  oneGroup(items.map((item) => columns.map(({ name }) => cellOf(item[name as keyof typeof item]))));

/** Returns the items as a workbook with one sheet. */
function reportXlsx(report: Report): AsyncIterable<Buffer> {
  const plainName = report.watch.name.replace(/[^\p{L}\p{N} _-]/gu, ' ').trim();
  const title = cutText(plainName, 31) || 'report';
  return writeXlsx({ title, columns }, rowsOf(report), { timeZone: 'UTC', summary: false });
}

const contentTypes: Record<AttachmentFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Returns a report as a file of a format. */
export async function attachmentContent(report: Report, format: AttachmentFormat): Promise<string | Buffer> {
  if (format === 'json') return JSON.stringify(report, null, 2);
  return await buffer(
    format === 'csv' ? writeCsv(columns, rowsOf(report), csvDialect(null, 'UTC')) : reportXlsx(report),
  );
}

/** Returns the files of a report's notice; none for other notices. */
export async function attachmentsOf(
  notice: Notice,
  formats: readonly AttachmentFormat[],
): Promise<{ filename: string; content: string | Buffer; contentType: string }[]> {
  const report = reportOf(notice);
  if (report === null) return [];
  const name = `offerbook-${notice.at.slice(0, 10)}`;
  const files = [...new Set(formats)].map(async (format) => ({
    filename: `${name}.${format}`,
    content: await attachmentContent(report, format),
    contentType: contentTypes[format],
  }));
  return await Promise.all(files);
}
