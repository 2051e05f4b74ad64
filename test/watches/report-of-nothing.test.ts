import { expect, it } from 'vitest';
import type { Report } from '../../src/watches/reports/report.ts';
import { renderReportHtml } from '../../src/watches/reports/report-html.ts';
import { renderReportMarkdown, renderReportText } from '../../src/watches/reports/report-text.ts';
import { sampleReport } from './sample-report.ts';

it('a report without a book says that matches are unknown, not that there are none', () => {
  const report: Report = {
    ...sampleReport(),
    ...{ observedAt: null, bookVerdict: null, dataAgeMinutes: null, items: [], gone: [], trends: [] },
    availability: { offers: 0, gpus: 0, machines: 0, daysOfLast30: 0 },
  };
  for (const text of [renderReportHtml, renderReportText, renderReportMarkdown].map((each) => each(report))) {
    expect(text).toMatch(/What matches now is unknown\\?: there is no book yet/);
    expect(text).not.toMatch(/0 offers match|No offer matches/);
  }
});

it('a report counts the GPUs of all offers as listed, because overlapping chunks count each', () => {
  expect(renderReportText(sampleReport())).toMatch(/\d+ GPUs listed on \d+ machines/);
});

it('each price of an offer has a line of its own in HTML, and a link says where it leads', () => {
  const html = renderReportHtml(sampleReport());
  expect(html).toMatch(/\$0\.3\d*\/h per GPU<br>\$0\.31\/h all-in</);
  expect(html).toContain('>Open its quote</a>');
});
