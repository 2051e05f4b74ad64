import { z } from '@hono/zod-openapi';

/** State of the read replica, in `/readyz` and `/api/status`. */
export const ReplicaSchema = z
  .object({
    isUp: z.boolean().openapi({ description: 'false: reads go to the primary meanwhile' }),
    reason: z.string().nullable().openapi({ description: 'Why it cannot be used; null: it is up' }),
    lagSeconds: z.int().nullable().openapi({
      description: 'Since the newest change of the primary that it has; null: down, or no standby',
    }),
    fallbackReads: z
      .int()
      .openapi({ description: 'Reads of this process that the primary answered instead' }),
  })
  .openapi('Replica');
