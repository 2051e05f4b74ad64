import { createRoute, z } from '@hono/zod-openapi';
import type { ApiApp } from '../../core/http/api-app.ts';
import { ApiProblem, orNoSuch, problemResponses } from '../../core/http/problem.ts';
import { requireRole } from '../../core/http/require-role.ts';
import { byId, jsonAnswer, jsonContent, moment } from '../../core/http/route-parts.ts';
import { renderHtml, renderMarkdown, renderText } from '../channels/render-notice.ts';
import type { Watch } from '../watch.ts';
import { findWatch } from '../watches.sql.ts';
import type { WatchesDeps } from '../watches-deps.ts';
import { attachmentContent } from './attachments.ts';
import { buildReport, reportNotice } from './build-report.ts';
import { countMatches, type MarketMatches } from './count-matches.ts';
import type { Report } from './report.ts';
import { bookVerdict, counts, ReportSchema } from './report-schema.ts';
import { sendReport } from './send-report.ts';

const AnswerSchema = z
  .object({
    sent: z.boolean(),
    deliveries: z.int().openapi({ description: 'Channels that it is sent to' }),
    report: ReportSchema,
  })
  .openapi('WatchReportAnswer');

/** The answer of `POST /api/watches/{id}/report`. */
export type WatchReportAnswer = z.infer<typeof AnswerSchema>;

const matches = {
  observedAt: moment.nullable(),
  bookVerdict,
  ...counts,
  daysOfLast30: z.int().openapi({ description: 'Days before the newest book on which something matched' }),
};

const MatchesSchema = z
  .object({
    ...matches,
    markets: z
      .array(z.object({ market: z.string(), ...matches }))
      .openapi({ description: 'Each market separately' }),
  })
  .openapi('WatchMatches');

const reportFormats = ['json', 'html', 'text', 'md', 'csv', 'xlsx'] as const;

const contentTypes = {
  html: 'text/html; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** What a preview in another format is. */
const otherFormats = Object.fromEntries(
  Object.entries(contentTypes).map(([format, type]) => [
    type.replace('; charset=utf-8', ''),
    { schema: { type: 'string' as const, ...(format === 'xlsx' ? { format: 'binary' } : {}) } },
  ]),
);

const reportRoute = createRoute({
  operationId: 'createWatchReport',
  method: 'post',
  path: '/api/watches/{id}/report',
  tags: ['watches'],
  summary: 'The cheapest offers of a watch; sending needs the role operator',
  request: {
    ...byId,
    body: {
      content: jsonContent(
        z
          .strictObject({
            send: z
              .boolean()
              .optional()
              .openapi({ description: 'Send it to the channels of the watch now; default: only a preview' }),
            format: z
              .enum(reportFormats)
              .optional()
              .openapi({ description: 'Format of a preview. Default: `json`' }),
          })
          .openapi('WatchReportRequest', { example: { send: false, format: 'json' } }),
      ),
    },
  },
  responses: {
    200: {
      description: 'The report in the requested format; `json` when it is sent',
      content: { ...jsonContent(AnswerSchema), ...otherFormats },
    },
    ...problemResponses(400, 401, 403, 404, 409, 503),
  },
});

const matchesRoute = createRoute({
  operationId: 'getWatchMatches',
  method: 'get',
  path: '/api/watches/{id}/matches',
  tags: ['watches'],
  summary: 'What matches a watch now, and on how many of the last 30 days',
  request: byId,
  responses: {
    200: jsonAnswer('The counts', MatchesSchema),
    ...problemResponses(400, 401, 403, 404, 503),
  },
});

/** `/api/watches/{id}/report` and `/matches`. */
export function mountWatchReports(app: ApiApp, deps: WatchesDeps): void {
  const { sql, now } = deps;
  const find = async (id: string): Promise<Watch> => orNoSuch(await findWatch(sql, id), 'watch');
  app.openapi(reportRoute, async (c) => {
    const { send = false, format = 'json' } = c.req.valid('json') ?? {};
    if (send) requireRole(c, 'operator');
    const watch = await find(c.req.valid('param').id);
    if (send && watch.channelIds.length === 0) {
      throw new ApiProblem(409, 'conflict', 'The watch has no channels: give it some with `channelIds`.');
    }
    if (send) {
      const { report, deliveries } = await sendReport(deps, watch, now());
      await deps.deliver();
      return c.json({ sent: true, deliveries, report }, 200);
    }
    const report = await buildReport(deps, watch, now());
    if (format === 'json') return c.json({ sent: false, deliveries: 0, report }, 200);
    // Answers with another type than the API's: a preview as a channel would show it.
    return c.body(await render(report, format), 200, { 'content-type': contentTypes[format] }) as never;
  });
  app.openapi(matchesRoute, async (c) => {
    const { listingIds: _, markets, ...all } = await countMatches(deps, await find(c.req.valid('param').id));
    const each = markets.map(({ market, ...counts }) => ({ market, ...presentCounts(counts) }));
    return c.json({ ...presentCounts(all), markets: each }, 200);
  });
}

const presentCounts = ({ observedAt, ...counts }: Omit<MarketMatches, 'market'>) => ({
  ...counts,
  observedAt: observedAt?.toISOString() ?? null,
});

async function render(
  report: Report,
  format: keyof typeof contentTypes,
): Promise<string | Uint8Array<ArrayBuffer>> {
  const notice = reportNotice(report);
  if (format === 'html') return renderHtml(notice);
  if (format === 'text') return `${notice.title}\n\n${renderText(notice)}\n`;
  if (format === 'md') return `${renderMarkdown(notice)}\n`;
  const content = await attachmentContent(report, format);
  return typeof content === 'string' ? content : new Uint8Array(content);
}
