import { html } from 'hono/html';
import { escapeMarkdown } from '../escape.ts';
import { type Report, reportOf } from '../reports/report.ts';
import { renderReportHtml } from '../reports/report-html.ts';
import { renderReportMarkdown, renderReportText } from '../reports/report-text.ts';
import type { Notice } from './notice.ts';

/** Returns a notice as plain text, without its title. */
export function renderText(notice: Notice): string {
  const report = reportOf(notice);
  if (report !== null) return renderReportText(report);
  return [...notice.lines, ...(notice.link === null ? [] : ['', notice.link])].join('\n');
}

/** Returns a notice as Markdown without its title; text of offers is escaped. */
export function renderMarkdown(notice: Notice): string {
  const report = reportOf(notice);
  if (report !== null) return renderReportMarkdown(report);
  const lines = notice.lines.map(escapeMarkdown);
  return [
    ...lines.map((line) => `${line}  `),
    ...(notice.link === null ? [] : ['', `<${notice.link}>`]),
  ].join('\n');
}

/** Returns a notice as a complete HTML page for mail clients. */
export function renderHtml(notice: Notice): string {
  const report: Report | null = reportOf(notice);
  if (report !== null) return renderReportHtml(report);
  const { title, lines, link } = notice;
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${title}</title></head>
<body style="font-family:system-ui,sans-serif;line-height:1.5;max-width:600px;margin:0 auto;padding:16px">
<h1 style="font-size:18px">${title}</h1>
${lines.map((line) => html`<p style="margin:4px 0">${line}</p>`)}
${link === null ? '' : html`<p><a href="${link}">Open in Offerbook</a></p>`}
</body></html>`;
  return String(page);
}
