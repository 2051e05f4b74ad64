import { html, raw } from 'hono/html';
import { alignUsd } from '../../core/usd-words.ts';
import type { Report, ReportTrend } from './report.ts';
import {
  availabilityLine,
  barSteps,
  changeWords,
  dataLines,
  goneWords,
  marketPrefix,
  type PricedItem,
  placeWords,
  pricedItems,
  verdictWords,
} from './report-words.ts';

// Mail clients support tables and inline styles; dark colors and the phone layout are extras for those that read style
// sheets.
const styles = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  body, .page { background: #14171c !important; color: #e6e9ef !important; }
  .card { background: #1d2229 !important; border-color: #353c47 !important; }
  .soft { color: #a9b2c0 !important; }
  a { color: #8ab8ff !important; }
  .bar { background: #8ab8ff !important; }
  .down { color: #6ddb8f !important; } .up { color: #ff9d8a !important; } .new { color: #8ab8ff !important; }
}
@media (max-width: 480px) {
  .page { padding: 12px !important; }
  .price { display: block !important; width: auto !important; text-align: left !important; padding-top: 0 !important; }
  .what { display: block !important; }
}`;

const colors: Record<string, string> = { down: '#16703a', up: '#a83a1e', new: '#1a4f9c', same: '#5b6472' };
const soft = 'color:#5b6472;font-size:13px';

/**
 * Returns a report as an HTML page for mail clients: light and dark, 600 px and phones, no script, no image, no
 * request.
 */
export function renderReportHtml(report: Report): string {
  const { watch, items, gone, trends } = report;
  const gonePrices = alignUsd(gone.map(({ usdPerHour }) => usdPerHour));
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${watch.name}</title><style>${raw(styles)}</style></head>
<body style="margin:0;background:#f4f5f7;color:#1b1f26;font-family:system-ui,-apple-system,'Segoe UI',sans-serif;line-height:1.45">
<div class="page" style="max-width:600px;margin:0 auto;padding:20px">
<h1 style="font-size:20px;margin:0 0 4px">${watch.name}</h1>
<p class="soft" style="margin:0 0 12px;${soft}">${watch.markets.join(', ')}. ${availabilityLine(report)}<br>${report.ranking}</p>
${items.length === 0 ? (report.observedAt === null ? '' : html`<p>No offer matches.</p>`) : pricedItems(report).map((item) => itemCard(report, item))}
${
  gone.length === 0
    ? ''
    : html`<h2 style="font-size:15px;margin:16px 0 4px">${goneWords}</h2>
<ul style="margin:0;padding-left:20px">${gone.map((each, place) => html`<li>${marketPrefix(report, each.market)}${each.numGpus}× ${each.gpuName} at ${gonePrices[place]}/hour <span class="soft" style="${soft}">offer ${each.offerId}</span></li>`)}</ul>`
}
${
  trends.length === 0
    ? ''
    : html`<h2 style="font-size:15px;margin:16px 0 4px">Median of all offers of the model, $/GPU-hour, last 7 days</h2>
${trends.map((trend) => trendRow(report, trend))}`
}
${report.waits.map(({ sentence }) => html`<p style="font-size:13px;margin:12px 0 0">${sentence}</p>`)}
<p class="soft" style="margin:16px 0 0;${soft}">${dataLines(report).map((line) => html`${line}<br>`)}
<a href="${report.url}" style="color:#1a4f9c">Open in Offerbook</a></p>
</div></body></html>`;
  return String(page);
}

/** Bars of table cells: not every font of a mail client has characters for them. */
function trendRow(report: Report, { market, gpuName, type, points, sentences }: ReportTrend) {
  const medians = points.map(({ median }) => median);
  const known = medians.filter((median) => median !== null);
  const [first = null, last = null] = [known[0], known.at(-1)];
  const cells = barSteps(medians).map(
    (step) =>
      html`<td valign="bottom" style="padding:0 2px 0 0;vertical-align:bottom">${
        step === null
          ? ''
          : html`<div class="bar" style="width:7px;height:${4 + 2 * step}px;background:#1a4f9c;font-size:0;line-height:0"></div>`
      }</td>`,
  );
  const words = known.length === 0 ? 'no complete book' : alignUsd([first, last]).join(' to ');
  return html`<table role="presentation" cellpadding="0" cellspacing="0" style="margin:2px 0"><tr>
<td style="padding:0 10px 0 0">${marketPrefix(report, market)}${gpuName}, ${type}</td>${cells}<td style="padding:0 0 0 8px">${words}</td></tr></table>
<p class="soft" style="margin:0 0 8px;${soft}">${sentences.map((sentence) => html`${sentence}<br>`)}</p>
`;
}

function itemCard(report: Report, { item, ...prices }: PricedItem) {
  const change = changeWords(item);
  const kind = item.change ?? 'same';
  const place = placeWords(report, item).join(' · ');
  return html`<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="background:#ffffff;border:1px solid #d9dde3;border-radius:8px;margin:0 0 8px;border-collapse:separate">
<tr><td class="what" style="padding:10px 12px;vertical-align:top"><strong>${item.rank}. ${item.numGpus}× ${item.gpuName}</strong><br>
<span class="soft" style="${soft}">${place}<br>offer ${item.offerId}, machine ${item.machineId}</span><br>
<span style="font-size:13px">${verdictWords(item)}</span></td>
<td class="price" width="190" style="padding:10px 12px;vertical-align:top;text-align:right"><strong>${prices.usdPerHour}</strong><br>
<span class="soft" style="${soft}">${prices.usdPerGpuHour}<br>${prices.allInUsdPerHour}${prices.value === null ? '' : html`<br>${prices.value}`}</span><br>
${change === '' ? '' : html`<span class="${kind}" style="font-size:13px;color:${colors[kind]}">${change}</span><br>`}
<a href="${item.url}" style="font-size:13px;color:#1a4f9c">${item.canRent ? 'Open this offer' : 'Open this listing'}</a></td></tr></table>
`;
}
