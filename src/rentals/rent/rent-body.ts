import { z } from '@hono/zod-openapi';
import { storableLine, storableLines, storableText } from '../../core/http/query.ts';
import { runtypes } from '../../market/template.ts';
import { rentEndFields } from '../instances/end-limits.ts';
import { bidSchema } from './bids.ts';
import type { RentRequest } from './rent-request.ts';

const line = (max: number) => storableLine(max).min(1);
const id = z.int().min(0);
const hours = z.number().gt(0).max(87_600);

const VolumeSchema = z
  .union([
    z.strictObject({ kind: z.literal('existing'), volumeId: id, mountPath: storableText(500) }),
    z.strictObject({
      kind: z.literal('new'),
      volumeOfferId: id,
      sizeGb: z.int().min(1).max(1_000_000),
      mountPath: storableText(500),
    }),
  ])
  .openapi('VolumeAttachment');

export const rentFields = {
  offerId: id.optional(),
  watchId: z.uuid().optional().openapi({ description: 'The best current match of this watch' }),
  image: line(1000).optional(),
  templateHashId: storableText(200).min(1).optional(),
  diskGb: z
    .number()
    .gt(0)
    .max(1_000_000)
    .openapi({ description: 'Fixed at creation; the quote is for this size' }),
  maxUsdPerHour: z
    .number()
    .gt(0)
    .max(1e6)
    .optional()
    .openapi({ description: 'Cap on the whole machine with its disk' }),
  bidUsdPerHour: bidSchema.optional().openapi({ description: 'Makes it a bid' }),
  ...rentEndFields,
  env: z.record(storableText(500), storableLines(20_000)).optional().openapi({
    description: 'Values by name; a port mapping is the key `-p host:container` with the value `1`',
  }),
  onstart: storableLines(60_000).optional(),
  args: storableLines(20_000).optional(),
  runtype: z.enum(runtypes).optional(),
  volume: VolumeSchema.optional(),
  label: line(200).optional(),
  costCenter: line(200).optional(),
  // Accepts the earlier name `tell`, so that existing scripts keep working.
  onFailure: z
    .preprocess((policy) => (policy === 'tell' ? 'notify' : policy), z.enum(['notify', 'replace']).optional())
    .openapi({
      type: 'string',
      enum: ['notify', 'replace'],
      description:
        'What to do if the instance never runs: notify the channels of its rules, or rent a replacement; default `notify`',
    }),
  replacements: z.int().min(1).max(10).optional().openapi({ description: 'With `replace`; default 1' }),
  provisionMinutes: z
    .number()
    .min(1)
    .max(1440)
    .optional()
    .openapi({ description: 'Minutes after which it has failed to start; default 20' }),
  nextBest: z
    .boolean()
    .optional()
    .openapi({ description: 'Whether to take the next best if the offer is gone or above the cap' }),
  profile: z
    .strictObject({
      downGb: z.number().min(0).max(1e9).optional(),
      upGb: z.number().min(0).max(1e9).optional(),
      runningHours: hours.optional(),
      stoppedHours: z.number().min(0).max(87_600).optional(),
    })
    .optional()
    .openapi({ description: 'For the all-in price; storage is the disk' }),
};

const oneSource = ({ offerId, watchId }: { offerId?: unknown; watchId?: unknown }): boolean =>
  (offerId === undefined) !== (watchId === undefined);
const twoSources = { message: 'give `offerId` or `watchId`, one of the two', path: ['offerId'] };

/** The body of `POST /api/quotes`. */
export const QuoteBodySchema = z
  .strictObject(rentFields)
  .refine(oneSource, twoSources)
  .openapi('QuoteRequest', {
    example: { offerId: 26378126, image: 'pytorch/pytorch:latest', diskGb: 40, maxUsdPerHour: 0.45 },
    description: 'What to rent: an offer or the best match of a watch, with an image or a template',
  });

/** The body of `POST /api/instances`. */
export const RentBodySchema = z
  .strictObject({
    ...rentFields,
    quoteId: storableText(1000).min(1).optional().openapi({
      description: 'Of a quote: only its offer is rented, at its price or less, within 60 seconds',
    }),
    dryRun: z.boolean().optional(),
  })
  .refine(oneSource, twoSources)
  .openapi('RentRequest', {
    example: {
      offerId: 26378126,
      image: 'pytorch/pytorch:latest',
      diskGb: 40,
      maxUsdPerHour: 0.45,
      maxHours: 24,
      label: 'fine-tuning',
    },
    description: 'A rental request; with `dryRun` it is quoted and nothing is sent',
  });

/** Returns the request of a body, without undefined fields. */
export const requestOf = ({
  dryRun: _,
  quoteId: _id,
  ...body
}: z.output<typeof RentBodySchema>): RentRequest => JSON.parse(JSON.stringify(body)) as RentRequest;
