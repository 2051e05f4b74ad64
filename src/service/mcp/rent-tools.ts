import { z } from 'zod';
import { RentedSchema } from '../../rentals/instances/instances.routes.ts';
import { defineTool } from './tool.ts';
import { usd, viewOf } from './tool-fields.ts';

const text = z.string().nullable();

/** What to rent: the fields of a quote's and a rental's body that agents need. */
const wanted = {
  offerId: z.int().optional().describe('Offer, as find_deals shows it; or give watchId'),
  watchId: z.string().optional().describe('Watch whose best match is taken; or give offerId'),
  image: z.string().optional().describe('Container image; or give templateHashId'),
  templateHashId: z.string().optional().describe('Template; or give image'),
  diskGb: z.number().positive().describe('Disk, GB; it cannot grow later'),
  bidUsdPerHour: z.number().positive().optional().describe('Makes it a bid: the machine may be taken away'),
  maxHours: z.number().positive().optional().describe('Hours after which it ends by itself'),
  endAction: z.enum(['stop', 'destroy']).optional().describe('What happens then; default stop'),
  env: z.record(z.string(), z.string()).optional().describe('Environment variables'),
  onstart: z.string().optional().describe('Script that runs at each start'),
  label: z.string().optional().describe('Label of the instance'),
};

const quote = defineTool({
  name: 'quote',
  title: 'Quote a rental',
  description:
    'What a rental would cost now and what would prevent it. Rents nothing. Its quoteId is valid for 60 seconds.',
  needs: 'operator',
  input: wanted,
  output: {
    quoteId: text,
    at: z.string(),
    offerId: z.int(),
    offer: z.object({
      machineId: z.int(),
      gpuName: z.string(),
      numGpus: z.int(),
      type: z.string(),
      country: text,
      reliability: z.number().nullable(),
      verification: text,
    }),
    usdPerHour: text,
    stoppedUsdPerDay: text,
    allInUsdPerHour: text,
    endsAt: text,
    warnings: z.array(z.object({ kind: z.string(), message: z.string() })),
    problems: z.array(z.string()),
    guards: z.array(z.object({ guard: z.string(), message: z.string() })),
    refusal: z.object({ kind: z.string(), message: z.string() }).nullable(),
    wouldRent: z.boolean(),
  },
  ask: async ({ api }, body) => await api.createQuote({ body }),
  words: ({ quoteId, offerId, offer, usdPerHour, warnings, guards, refusal, wouldRent }) =>
    [
      `Offer ${offerId}: ${offer.numGpus} × ${offer.gpuName} for ${usd(usdPerHour)}/hour with its disk.`,
      wouldRent ? rentable(quoteId) : 'It would not be rented.',
      ...warnings.map(({ message }) => `Note: ${message}`),
      ...guards.map(({ guard, message }) => `Refused by ${guard}: ${message}`),
      ...(refusal === null ? [] : [`Refused: ${refusal.message}`]),
    ].join(' '),
  page: ({ offerId, diskGb, bidUsdPerHour: bid, templateHashId: template }) =>
    offerId === undefined
      ? '/deals'
      : viewOf(`/rent/${offerId}`, {
          storageGb: diskGb,
          type: bid === undefined ? undefined : 'bid',
          bid,
          template,
        }),
});

const rentable = (quoteId: string | null): string =>
  quoteId === null
    ? 'It cannot be rented from here: set SECRETS_KEY to that of the service, or OFFERBOOK_URL.'
    : 'It can be rented with this quoteId within 60 seconds.';

const rent = defineTool({
  name: 'rent',
  title: 'Rent a machine',
  description:
    'Rents what was quoted, at the price of the quote or less. It costs money. Give the same fields as to quote. After an unclear answer call it again with the same idempotencyKey: the same key never rents twice.',
  needs: 'acting',
  changes: { isDestructive: false, isIdempotent: true },
  input: {
    quoteId: z.string().describe('Of a quote that is at most 60 seconds old'),
    idempotencyKey: z.string().describe('A text of your choice without spaces, new for each rental'),
    ...wanted,
  },
  output: RentedSchema.shape,
  ask: async ({ api }, { idempotencyKey, ...body }) => await api.rentInstance({ body, idempotencyKey }),
  words: ({ instanceId, rentalId, gpuName, numGpus, usdPerHour, state, reason }) => {
    if (state === 'failed') return `Nothing was rented: ${reason}`;
    return instanceId === null
      ? `Rental ${rentalId} is ${state}: it is not known yet whether there is an instance. Ask again with the same idempotencyKey only.`
      : `Instance ${instanceId}, ${numGpus} × ${gpuName}, is ${state} for ${usd(usdPerHour)}/hour.`;
  },
  page: () => '/instances',
});

/** Tools that quote and rent. */
export const rentTools = [quote, rent];
