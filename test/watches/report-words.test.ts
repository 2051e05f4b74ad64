import { expect, it } from 'vitest';
import { defaultProfile } from '../../src/core/metric.ts';
import { rankingWords } from '../../src/watches/reports/ranking-words.ts';
import type { Report } from '../../src/watches/reports/report.ts';
import { renderReportHtml } from '../../src/watches/reports/report-html.ts';
import { renderReportMarkdown, renderReportText } from '../../src/watches/reports/report-text.ts';
import type { Watch } from '../../src/watches/watch.ts';
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
  expect(html).toMatch(/\$0\.3\d*\/GPU-hour<br>\$0\.3100\/hour all-in</);
  expect(html).toContain('>Open this offer</a>');
});

it('prices of one column have the same decimals in every format, and a line says by what offers are ranked', () => {
  const sample = sampleReport();
  const [first, second] = sample.items;
  if (first === undefined || second === undefined) throw new Error('the sample has two offers');
  const report: Report = {
    ...sample,
    items: [
      { ...first, usdPerHour: 0.683, usdPerGpuHour: 0.683, allInUsdPerHour: 0.7, value: 0.0041 },
      { ...second, usdPerHour: 1.363, usdPerGpuHour: 0.6815, allInUsdPerHour: null, value: 0.00425 },
    ],
  };
  for (const render of [renderReportHtml, renderReportText, renderReportMarkdown]) {
    const text = render(report).replaceAll('\\', '');
    expect(text).toContain('$0.6830/GPU-hour');
    expect(text).toContain('$0.6815/GPU-hour');
    expect(text).toContain('$0.6830/hour');
    expect(text).toContain('$1.3630/hour');
    expect(text).toContain('$0.7000/hour all-in');
    expect(text).toContain('all-in unknown');
    expect(text).toContain('Ranked by price per GPU ($/GPU-hour), cheapest first.');
    // What it is ranked by is shown, if none of the other prices is that.
    const ranked = render({ ...report, by: 'usdPerDlperfHour' }).replaceAll('\\', '');
    expect(ranked).toContain('$0.004100/DLPerf-hour');
    expect(ranked).toContain('$0.004250/DLPerf-hour');
    expect(text).not.toContain('/DLPerf-hour');
  }
});

it('the line about the ranking names each filter of the watch', () => {
  const watch = {
    profile: { ...defaultProfile, storageGb: 24 },
    filters: {
      gpuName: ['RTX 4090', 'RTX 5090'],
      verification: ['verified'],
      minReliability: 0.985,
      maxUsdPerHour: 2,
      minVramGb: 24,
      staticIp: false,
      country: [],
    },
  } as unknown as Watch;
  expect(rankingWords('usdPerGpuHour', watch)).toBe(
    'Ranked by price per GPU ($/GPU-hour), cheapest first. Considered: RTX 4090 or RTX 5090, on-demand, ' +
      'verified, max price per machine $2.00/hour, min reliability 98.5%, min VRAM 24 GB, static IP no, prices with 24 GB of disk.',
  );
});
