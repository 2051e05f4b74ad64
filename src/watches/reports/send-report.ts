import { addDeliveries } from '../channels/deliveries.sql.ts';
import type { Watch } from '../watch.ts';
import { buildReport, type ReportSources, reportNotice } from './build-report.ts';
import type { Report } from './report.ts';
import { saveReport } from './watch-reports.sql.ts';

/** Builds a watch's report and writes it into the outbox of its channels; the next report compares with it. */
export async function sendReport(
  sources: ReportSources,
  watch: Watch,
  now: Date,
): Promise<{ report: Report; deliveries: number }> {
  const report = await buildReport(sources, watch, now);
  const deliveries = await sources.sql.begin(async (tx) => {
    const { observedAt } = report;
    if (observedAt !== null) {
      const items = report.items.map(
        ({ listingId, market, offerId, machineId, gpuName, numGpus, usdPerHour }) => [
          listingId,
          { market, offerId, machineId, gpuName, numGpus, usdPerHour },
        ],
      );
      const kept = { watchId: watch.id, sentAt: now, observedAt: new Date(observedAt) };
      await saveReport(tx, { ...kept, items: Object.fromEntries(items) });
    }
    return await addDeliveries(tx, [{ notice: reportNotice(report), channelIds: watch.channelIds }], now);
  });
  return { report, deliveries };
}
