import { stringify } from 'csv-stringify/sync';
import { writeXlsx } from 'hucre/xlsx';
import { cutText } from '../../core/cut-text.ts';
import type { Notice } from '../channels/notice.ts';
import { type Report, reportOf } from './report.ts';

export const attachmentFormats = ['csv', 'xlsx', 'json'] as const;
export type AttachmentFormat = (typeof attachmentFormats)[number];

/** Columns of the files, of every item in the order of the ranking. */
const columns = [
  'rank',
  'offerId',
  'listingId',
  'machineId',
  'hostId',
  'gpuName',
  'numGpus',
  'type',
  'verification',
  'country',
  'reliability',
  'value',
  'usdPerHour',
  'usdPerGpuHour',
  'allInUsdPerHour',
  'joke',
  'change',
  'previousUsdPerHour',
  'url',
] as const;

const longestCell = 32_767;

/** Text that a spreadsheet takes for text: what begins like a formula gets an apostrophe. */
const plainCell = (text: string): string => (/^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text);

/** The items as CSV with a head. */
function renderReportCsv({ items }: Report): string {
  const rows = items.map((item) =>
    columns.map((name) => {
      const value = item[name];
      return typeof value === 'string' ? plainCell(value) : value;
    }),
  );
  return stringify([[...columns], ...rows], { record_delimiter: '\r\n', cast: { boolean: String } });
}

/** The items as a workbook of one sheet. */
async function renderReportXlsx({ items, watch }: Report): Promise<Uint8Array> {
  const cut = (value: string): string =>
    value.length > longestCell ? `${cutText(value, longestCell - 1)}…` : value;
  const rows = items.map((item) =>
    columns.map((name) => {
      const value = item[name];
      return typeof value === 'string' ? cut(value) : value;
    }),
  );
  const plainName = watch.name.replace(/[^\p{L}\p{N} _-]/gu, ' ').trim();
  const name = cutText(plainName, 31) || 'report';
  return await writeXlsx({ sheets: [{ name, rows: [[...columns], ...rows] }] });
}

const contentTypes: Record<AttachmentFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** A report as a file of a format. */
export async function attachmentContent(report: Report, format: AttachmentFormat): Promise<string | Buffer> {
  if (format === 'csv') return renderReportCsv(report);
  if (format === 'json') return JSON.stringify(report, null, 2);
  return Buffer.from(await renderReportXlsx(report));
}

/** The files of a report's notice; none of another's. */
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
