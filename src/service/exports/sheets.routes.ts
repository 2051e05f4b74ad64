import { createRoute, z } from '@hono/zod-openapi';
import { uuidv7 } from 'uuidv7';
import { chooseMarkets } from '../../books/choose-market.ts';
import type { ApiApp } from '../../core/http/api-app.ts';
import { ApiProblem, problemResponses } from '../../core/http/problem.ts';
import { marketsField, marketsParam, storableText } from '../../core/http/query.ts';
import { requireRole } from '../../core/http/require-role.ts';
import { byId, jsonAnswer, jsonBody, moment, noQuery, wholeList } from '../../core/http/route-parts.ts';
import { documentAt } from '../../core/program-file.ts';
import { csvDialect } from '../../exports/csv.ts';
import { mediaTypeOf, writeTable } from '../../exports/formats.ts';
import type { ApiDeps } from '../http/api-deps.ts';
import { isReachable } from '../http/reachable.ts';
import { exportNames } from './export-names.ts';
import { openExportTable } from './export-tables.ts';
import { createScreenTables } from './screen-tables.ts';
import {
  createSheetLink,
  listSheetLinks,
  readSheetLink,
  revokeSheetLink,
  type SheetLink,
} from './sheet-links.sql.ts';

/** No spreadsheet loads a larger file from a link. */
const maxBytes = 32 * 1024 * 1024;

const SheetSchema = z
  .object({
    id: z.string(),
    market: z.string().openapi({ description: 'The first of its markets' }),
    markets: z.array(z.string()).optional().openapi({ description: 'If it shows several' }),
    export: z.string(),
    query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    note: z.string().nullable(),
    createdAt: moment,
    revokedAt: moment.nullable(),
    lastReadAt: moment.nullable(),
  })
  .openapi('SheetLink');
const NewSheetAnswer = SheetSchema.extend({
  url: z.string().openapi({ description: 'Shown only once; anyone with it can read the sheet' }),
  formulas: z.object({ googleSheets: z.string(), excel: z.string(), libreOffice: z.string() }),
  reachable: z.boolean().openapi({ description: 'Whether other machines could reach the address' }),
  hint: z.string().nullable(),
}).openapi('NewSheetLink');

/** The answer of `POST /api/sheets`. */
export type NewSheetLinkAnswer = z.infer<typeof NewSheetAnswer>;
const SheetsSchema = wholeList(SheetSchema, 'SheetLinks');
/** The answer of `GET /api/sheets`. */
export type SheetLinksAnswer = z.infer<typeof SheetsSchema>;

const tags = ['spend'];
const listRoute = createRoute({
  operationId: 'listSheetLinks',
  method: 'get',
  path: '/api/sheets',
  tags,
  summary: 'Live-sheet links, without their tokens; role operator',
  request: { query: z.strictObject(marketsParam) },
  responses: {
    200: jsonAnswer('All of them', SheetsSchema),
    ...problemResponses(400, 401, 403, 503),
  },
});
const addRoute = createRoute({
  operationId: 'createSheetLink',
  method: 'post',
  path: '/api/sheets',
  tags,
  summary: 'Create a link that spreadsheets can read; role operator',
  request: {
    query: noQuery,
    body: jsonBody(
      z
        .strictObject({
          export: z.enum(exportNames),
          query: z
            .record(storableText(100), z.union([storableText(500), z.array(storableText(500)).max(100)]))
            .default({})
            .openapi({ description: 'Parameters of the export' }),
          note: storableText(200).nullable().default(null),
          market: marketsField('The market that it shows, or a list. Default: the configured market'),
        })
        .openapi('SheetLinkRequest', {
          example: { export: 'spend', query: { groupBy: 'day' }, note: 'sheet of the finance team' },
        }),
    ),
  },
  responses: {
    201: jsonAnswer('The link with its address', NewSheetAnswer),
    ...problemResponses(400, 401, 403, 503),
  },
});
const revokeRoute = createRoute({
  operationId: 'revokeSheetLink',
  method: 'delete',
  path: '/api/sheets/{id}',
  tags,
  summary: 'Revoke a link; role operator',
  request: byId,
  responses: { 204: { description: 'The link is revoked' }, ...problemResponses(401, 403, 404, 503) },
});
const fileRoute = createRoute({
  operationId: 'readSheet',
  method: 'get',
  path: '/sheets/{token}/{file}',
  tags,
  security: [],
  summary: 'The CSV of a live-sheet link; needs only its token',
  request: { params: z.object({ token: z.string(), file: z.string().openapi({ example: 'spend.csv' }) }) },
  responses: {
    200: {
      description: 'With an ETag; with If-None-Match an unchanged one is a 304',
      content: { 'text/csv': { schema: { type: 'string' } } },
    },
    ...problemResponses(404, 413, 429, 503),
  },
});

/** `/api/sheets`, and `/sheets/…` of its links. */
export function mountSheets(app: ApiApp, deps: ApiDeps): void {
  const { sql, now } = deps;
  const screens = createScreenTables(deps);
  app.openapi(listRoute, async (c) => {
    requireRole(c, 'operator');
    const marketIds = (await chooseMarkets(deps, c.req.valid('query').market)).map(({ id }) => id);
    return c.json({ items: (await listSheetLinks(sql, marketIds)).map(present), nextCursor: null }, 200);
  });
  app.openapi(addRoute, async (c) => {
    requireRole(c, 'operator');
    const { market: names, query, note, export: what } = c.req.valid('json');
    const [first, ...others] = await chooseMarkets(deps, names);
    const markets = [first, ...others].map(({ name }) => name);
    // A link whose export would always fail is refused now, naming the wrong parameter.
    await openExportTable(c, deps, screens, what as 'spend', parametersOf({ query, markets }));
    const request = { id: uuidv7(), export: what, query, note, createdAt: now() };
    const { link, token } = await createSheetLink(sql, [first.id, ...others.map(({ id }) => id)], request);
    return c.json({ ...present(link), ...addressOf(deps.sheetsUrl ?? deps.publicUrl, token, what) }, 201);
  });
  app.openapi(revokeRoute, async (c) => {
    requireRole(c, 'operator');
    if (!(await revokeSheetLink(sql, c.req.valid('param').id, now()))) {
      throw new ApiProblem(404, 'not-found', 'There is no active link with this id.');
    }
    return c.body(null, 204);
  });
  app.openapi(fileRoute, async (c) => {
    const { token, file } = c.req.valid('param');
    const link = await deps.guesses.check(c, { secret: token, way: 'link' }, async () =>
      readSheetLink(sql, token, now()),
    );
    if (link === null || file !== `${link.export}.csv`) {
      throw new ApiProblem(404, 'not-found', 'There is no such sheet, or its link was revoked.');
    }
    const opened = await openExportTable(c, deps, screens, link.export as 'spend', parametersOf(link));
    const csv = csvDialect(opened.locale, opened.timeZone);
    const pieces: Buffer[] = [];
    let size = 0;
    const how = { format: 'csv', csv, signal: c.req.raw.signal } as const;
    for await (const piece of writeTable(opened.table, how)) {
      size += piece.length;
      if (size > maxBytes)
        throw new ApiProblem(413, 'sheet-too-large', 'The sheet is larger than 32 MB: narrow its range.');
      pieces.push(piece);
    }
    c.header('Content-Type', mediaTypeOf('csv'));
    c.header('Cache-Control', 'private, no-cache');
    return c.body(Buffer.concat(pieces)) as never;
  });
}

const parametersOf = ({
  query,
  markets,
}: {
  query: SheetLink['query'];
  markets: readonly string[];
}): Record<string, string[]> => ({
  ...Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value].flat()])),
  market: [...markets],
});

function addressOf(base: string, token: string, what: string) {
  const url = `${base}/sheets/${token}/${what}.csv`;
  const { hostname, protocol } = new URL(url);
  const reachable = isReachable(hostname);
  const hint = !reachable
    ? 'The address is local to this machine or network: programs elsewhere, such as Google Sheets, cannot reach it. ' +
      `Put HTTPS in front (${documentAt('docs/live-sheets.md')}) and set PUBLIC_URL.`
    : protocol === 'https:'
      ? null
      : 'The address is not HTTPS: others can read the link on its way.';
  return {
    url,
    formulas: {
      googleSheets: `=IMPORTDATA("${url}")`,
      excel: `Data > From Web > ${url}`,
      libreOffice: `Sheet > External Links > ${url}`,
    },
    reachable,
    hint,
  };
}

const present = ({
  id,
  market,
  markets,
  createdAt,
  revokedAt,
  lastReadAt,
  ...link
}: SheetLink): z.infer<typeof SheetSchema> => ({
  id,
  market,
  ...(markets.length > 1 ? { markets } : {}),
  ...link,
  createdAt: createdAt.toISOString(),
  revokedAt: revokedAt?.toISOString() ?? null,
  lastReadAt: lastReadAt?.toISOString() ?? null,
});
