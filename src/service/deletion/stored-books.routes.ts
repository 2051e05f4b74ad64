import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { BooksDeps } from '../../books/books-deps.ts';
import { chooseMarket, chooseMarkets } from '../../books/choose-market.ts';
import type { Market } from '../../books/markets.sql.ts';
import { UserError } from '../../core/errors.ts';
import type { ApiApp, ApiEnv } from '../../core/http/api-app.ts';
import { readPage } from '../../core/http/cursor.ts';
import { ApiProblem, noSuch, problemResponses } from '../../core/http/problem.ts';
import { marketParam, marketsParam, pageParams, storableText } from '../../core/http/query.ts';
import { requireRole } from '../../core/http/require-role.ts';
import { jsonAnswer, moment, pageOf } from '../../core/http/route-parts.ts';
import { pricingTypes } from '../../core/offer.ts';
import {
  deleteBooks,
  findBooks,
  findImportedBooks,
  listBooks,
  type StoredBook,
  summaryOf,
} from './delete-books.sql.ts';
import { bookIdsOf, deleteMarket, whyMarketStays } from './delete-market.sql.ts';

const BookSchema = z
  .object({
    id: z.string(),
    market: z.string(),
    scope: z.string(),
    type: z.enum(pricingTypes),
    observedAt: moment,
    verdict: z.enum(['complete', 'partial']).openapi({ description: 'Coverage of the book' }),
    offers: z.int(),
  })
  .openapi('Book');

/** An item of `GET /api/books`. */
export type BookAnswer = z.infer<typeof BookSchema>;

const DeletedSchema = z
  .object({
    deleted: z.boolean().openapi({ description: 'false: a dry run, nothing was changed' }),
    books: z.int(),
    offers: z.int().openapi({ description: 'Offers of these books together' }),
    from: moment.nullable().openapi({ description: 'Moment of the oldest of them' }),
    to: moment.nullable(),
    items: z.array(BookSchema).openapi({ description: 'The books, oldest first; at most 100' }),
  })
  .openapi('DeletedBooks');

/** The answer of a deletion. */
export type DeletedAnswer = z.infer<typeof DeletedSchema>;

const bookId = z.string().regex(/^[1-9]\d{0,8}$/);
const confirmParam = {
  confirm: z
    .enum(['true', 'false'])
    .default('false')
    .openapi({ description: 'Without `true` the answer says what would be deleted' }),
};
const tags = ['crawls'];
const answer = {
  200: jsonAnswer('What was deleted, or would be', DeletedSchema),
  ...problemResponses(400, 401, 403, 404, 409, 503),
};

const listRoute = createRoute({
  operationId: 'listBooks',
  method: 'get',
  path: '/api/books',
  tags,
  summary: 'The stored books of markets, the newest first',
  request: { query: z.strictObject({ ...marketsParam, ...pageParams }) },
  responses: {
    200: jsonAnswer('A page of books', pageOf(BookSchema, 'Books')),
    ...problemResponses(400, 401, 403, 503),
  },
});

const bookRoute = createRoute({
  operationId: 'deleteBook',
  method: 'delete',
  path: '/api/books/{id}',
  tags,
  summary: 'Delete a book: every figure is then as if it had never existed; needs the role admin',
  request: {
    params: z.object({ id: bookId }),
    query: z.strictObject(confirmParam),
  },
  responses: answer,
});

const importRoute = createRoute({
  operationId: 'deleteImport',
  method: 'delete',
  path: '/api/imports/{file}',
  tags,
  summary: 'Delete the books that were imported from files of this name; needs the role admin',
  request: {
    params: z.object({ file: storableText(255).min(1) }),
    query: z.strictObject({ ...marketParam, ...confirmParam }),
  },
  responses: answer,
});

const marketRoute = createRoute({
  operationId: 'deleteMarket',
  method: 'delete',
  path: '/api/markets/{name}',
  tags,
  summary: 'Delete all books of a market; needs the role admin',
  request: { params: z.object({ name: storableText(200).min(1) }), query: z.strictObject(confirmParam) },
  responses: answer,
});

/** `/api/books`, `/api/imports` and `/api/markets`. */
export function mountStoredBooks(app: ApiApp, deps: BooksDeps): void {
  const { sql, now } = deps;
  const by = (c: Context<ApiEnv>, action: string, detail: object) => {
    requireRole(c, 'admin');
    return { by: c.get('credential').name, at: now(), action, detail };
  };
  app.openapi(listRoute, async (c) => {
    const { market, limit } = c.req.valid('query');
    const marketIds = (await chooseMarkets(deps, market)).map(({ id }) => id);
    const page = await readPage(c, limit, {
      after: bookId,
      read: (after, count) =>
        listBooks(sql, { marketIds, after: after === null ? null : Number(after), limit: count }),
      keyOf: ({ id }) => String(id),
    });
    return c.json({ ...page, items: page.items.map(present) }, 200);
  });
  app.openapi(bookRoute, async (c) => {
    const id = Number(c.req.valid('param').id);
    const deletion = by(c, 'delete-book', { bookId: String(id) });
    const books = await findBooks(sql, [id]);
    if (books.length === 0) throw noSuch('book');
    if (c.req.valid('query').confirm === 'false') return c.json(told(books, false), 200);
    return c.json(told(await refusingDeletion(deleteBooks(sql, [id], deletion)), true), 200);
  });
  app.openapi(importRoute, async (c) => {
    const { file } = c.req.valid('param');
    const { market: name, confirm } = c.req.valid('query');
    const deletion = by(c, 'delete-import', { file });
    const market = await chooseMarket(deps, name);
    const ids = await findImportedBooks(sql, market.id, file);
    if (ids.length === 0) {
      throw new ApiProblem(
        404,
        'not-found',
        `No book in ${market.name} was imported from a file with this name.`,
      );
    }
    if (confirm === 'false') return c.json(told(await findBooks(sql, ids), false), 200);
    return c.json(told(await refusingDeletion(deleteBooks(sql, ids, deletion)), true), 200);
  });
  app.openapi(marketRoute, async (c) => {
    const deletion = by(c, 'delete-market', {});
    const market: Market = await chooseMarket(deps, c.req.valid('param').name);
    if (c.req.valid('query').confirm === 'true') {
      return c.json(told(await refusingDeletion(deleteMarket(sql, market.id, deletion)), true), 200);
    }
    const refusal = await whyMarketStays(sql, market.id);
    if (refusal !== null) throw new ApiProblem(409, 'deletion-refused', refusal);
    return c.json(told(await findBooks(sql, await bookIdsOf(sql, market.id)), false), 200);
  });
}

/** Turns a refusal of a deletion into a 409. */
export async function refusingDeletion<T>(deletion: Promise<T>): Promise<T> {
  try {
    return await deletion;
  } catch (error) {
    if (error instanceof UserError)
      throw new ApiProblem(409, 'deletion-refused', error.message, { cause: error });
    throw error;
  }
}

const maxItems = 100;

const told = (books: readonly StoredBook[], deleted: boolean): DeletedAnswer => ({
  deleted,
  ...summaryOf(books),
  items: books.slice(0, maxItems).map(present),
});

const present = ({ id, market, scope, type, observedAt, verdict, offers }: StoredBook): BookAnswer => ({
  id: String(id),
  observedAt: observedAt.toISOString(),
  market,
  scope,
  type,
  verdict,
  offers,
});
