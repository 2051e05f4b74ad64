import { z } from '@hono/zod-openapi';

/** A moment in ISO 8601, UTC. */
export const moment = z.string().openapi({ format: 'date-time' });

/** A query without parameters. */
export const noQuery = z.strictObject({});

/** The address of one thing by Offerbook's own id. */
export const byId = { params: z.object({ id: z.uuid() }), query: noQuery };

/** The `content` of a JSON body with that schema. */
export const jsonContent = <T extends z.ZodType>(schema: T) => ({ 'application/json': { schema } });

/** A JSON response. */
export const jsonAnswer = <T extends z.ZodType>(description: string, schema: T) => ({
  description,
  content: jsonContent(schema),
});

/** A required JSON body. */
export const jsonBody = <T extends z.ZodType>(schema: T) => ({
  required: true,
  content: jsonContent(schema),
});

/** A page of a list; `nextCursor` is null on the last one. */
export const pageOf = <T extends z.ZodType>(item: T, name: string) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() }).openapi(name);

/** A list that is returned as a whole. */
export const wholeList = <T extends z.ZodType>(item: T, name: string) =>
  z.object({ items: z.array(item), nextCursor: z.null() }).openapi(name);
