import { z } from '@hono/zod-openapi';
import { moment } from '../../core/http/route-parts.ts';

/** How backups stand, in `GET /api/status`. */
export const BackupsSchema = z
  .object({
    cron: z.string().nullable().openapi({
      description: 'When they are made; null: BACKUPS is off',
      example: '30 2 * * *',
    }),
    place: z.string().nullable().openapi({
      description: 'Folder or `s3://…`; null: BACKUP_TO is not set',
      example: 's3://my-bucket/offerbook',
    }),
    nextAt: moment.nullable(),
    isOverdue: z.boolean().openapi({
      description: 'An hour after its scheduled moment there is no good backup of it',
    }),
    lastGood: z
      .object({
        name: z.string().openapi({ example: 'offerbook-20260720T023000Z.backup.gz' }),
        startedAt: moment.openapi({ description: 'The moment that it holds' }),
        bytes: z.int().openapi({ example: 4_200_000 }),
        verified: z.enum(['restored', 'read']).nullable().openapi({
          description: 'Restored into a scratch database, or read through with its hash; null: neither',
        }),
      })
      .nullable(),
    lastFailure: z
      .object({ startedAt: moment, reason: z.string().openapi({ example: 'its disk is full' }) })
      .nullable(),
  })
  .openapi('Backups');
