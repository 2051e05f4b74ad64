import { z } from '@hono/zod-openapi';
import { pricingTypes } from '../../core/offer.ts';
import { bidOfInstance } from '../rent/bids.ts';
import type { CheaperState } from './cheaper-plans.sql.ts';
import { type ComingEnd, endLimitNames } from './end-limits.ts';
import type { LedgerInstance } from './ledger.ts';

const text = z.string().nullable();
const figure = z.number().nullable();
const whole = z.int().nullable();
const usd = (description: string) => z.string().nullable().openapi({ description });
const moment = z.string().nullable().openapi({ format: 'date-time' });

const CostSchema = z
  .object({
    usd: z.string().openapi({ description: 'Charges, plus the estimate for the time after them' }),
    estimatedUsd: z.string().openapi({ description: 'For the whole time, without traffic' }),
    chargedUsd: usd('null: no charge has arrived yet'),
    chargedUntil: moment,
    differenceUsd: usd('Charges without traffic, minus the estimate for the same time'),
    isLowerBound: z.boolean().openapi({ description: 'A rate was unknown for some time' }),
  })
  .openapi('InstanceCost');

const FoundSchema = z
  .object({
    offerId: z.int(),
    machineId: z.int(),
    usdPerHour: z.number(),
    replacementId: text.openapi({ description: 'The rental in its place; null: none' }),
    problem: text.openapi({ description: 'Why it was not rented; null: it was, or was not tried' }),
  })
  .openapi('FoundMachine');

const EndingSchema = z
  .object({
    limit: z.enum(endLimitNames),
    at: z.string().openapi({ format: 'date-time', description: 'As far as known' }),
    reading: z.string().openapi({ description: 'What was seen' }),
  })
  .openapi('InstanceEnding');

/** An item of `GET /api/instances` and `GET /api/rentals`. */
export const LedgerInstanceSchema = z
  .object({
    instanceId: whole.openapi({ description: 'null: not settled, or nothing was rented' }),
    rentalId: text.openapi({ description: 'null: rented elsewhere' }),
    state: z.string().openapi({
      description:
        '`creating`, `settling`, `unsettled`, `failed`, `provisioning`, `running`, `ready`, `stopped`, `down`, `start-failed`, `destroying`, `destroyed`; an instance rented elsewhere may have another one, as the market names it',
    }),
    reason: text,
    label: text,
    costCenter: text,
    rentedBy: text,
    actualStatus: text,
    intendedStatus: text,
    statusMessage: text,
    gpuName: text,
    numGpus: whole,
    type: z.enum(pricingTypes).nullable(),
    machineId: whole,
    hostId: whole,
    country: text.openapi({ description: 'Two letters, of its machine as last offered' }),
    offerId: whole,
    image: text.openapi({ description: 'Until a list has the instance, as requested' }),
    diskGb: figure,
    sshHost: text,
    sshPort: whole,
    startedAt: moment,
    hostEndsAt: moment.openapi({ description: 'Until a list has the instance, as quoted' }),
    usdPerHour: usd('What it counts at: its running price unless it is stopped; null: unknown or gone'),
    billedUsdPerHour: usd('As billed in its state: GPUs only while it runs; null: unknown or gone'),
    runningUsdPerHour: usd('While it runs, including its disk'),
    stoppedUsdPerDay: usd('For its disk, while it is stopped, until it is destroyed'),
    bidUsdPerHour: usd('Of a bid'),
    minBidUsdPerHour: figure,
    maxUsdPerHour: usd('The cap of the request'),
    quotedUsdPerHour: usd('At rent'),
    cost: CostSchema,
    gpuUtilPercent: figure,
    idle: z.boolean().nullable().openapi({ description: 'GPUs under 5% busy in every poll of an hour' }),
    cheaper: z
      .object({
        offerId: z.int(),
        machineId: z.int(),
        usdPerHour: z.number(),
        savesUsdPerDay: z.string(),
        hostEndsAt: moment,
      })
      .nullable()
      .openapi({ description: 'An equal machine that costs at least 5% less now' }),
    wanted: z.enum(['running', 'stopped', 'destroyed']).nullable(),
    wantedBy: text,
    wantedProblem: text.openapi({ description: 'Why the last attempt failed; null: it did not' }),
    maxHours: figure,
    endAction: z.enum(['stop', 'destroy']).nullable(),
    endsAt: moment,
    idleMinutes: figure,
    idlePercent: figure,
    maxUsd: usd('Of the limit on its cost'),
    warnMinutes: figure,
    cheaperPercent: figure,
    cheaperBooks: whole,
    cheaperOfBooks: whole,
    cheaperAction: z.enum(['notify', 'replace']).nullable(),
    found: FoundSchema.nullable().openapi({ description: 'Of `cheaperPercent`, once enough books had one' }),
    ending: EndingSchema.nullable().openapi({
      description: 'A limit that ends it within `warnMinutes`, by the last poll',
    }),
    createdAt: moment,
    readyAt: moment,
    failedStartAt: moment.openapi({
      description: 'It failed to start: consider blocking its machine or host',
    }),
    endedAt: moment,
  })
  .openapi('LedgerInstance');

/** An item of `GET /api/instances` and `GET /api/rentals`. */
export type LedgerInstanceAnswer = z.infer<typeof LedgerInstanceSchema>;

const iso = (at: Date | null | undefined): string | null => at?.toISOString() ?? null;

function presentFound(state: CheaperState | null): LedgerInstanceAnswer['found'] {
  if (state === null || state.offer === null) return null;
  const { offerId, machineId, usdPerHour } = state.offer;
  const { rentalId = null, problem = null } = state.replacement ?? {};
  return { offerId, machineId, usdPerHour, replacementId: rentalId, problem };
}

const presentEnding = (ending: ComingEnd | null): LedgerInstanceAnswer['ending'] =>
  ending === null ? null : { limit: ending.limit, at: ending.at, reading: ending.reading };

/** What the quote of a rental says before a list has its instance. */
interface Quoted {
  endsAt?: string | null;
  instance?: { image?: string | null };
}

/** Returns a ledger's instance for the API. */
export function presentInstance(of: LedgerInstance): LedgerInstanceAnswer {
  const { instance, rental, plan, cost } = of;
  const quoted = (rental?.quote ?? {}) as Quoted;
  return {
    instanceId: of.instanceId,
    rentalId: rental?.id ?? null,
    state: of.state,
    reason: rental?.reason ?? null,
    label: of.label,
    costCenter: of.costCenter,
    rentedBy: rental?.rentedBy ?? null,
    actualStatus: instance?.actualStatus ?? null,
    intendedStatus: instance?.intendedStatus ?? null,
    statusMessage: instance?.statusMessage ?? null,
    gpuName: instance?.gpuName ?? rental?.gpuName ?? null,
    numGpus: instance?.numGpus ?? rental?.numGpus ?? null,
    type: instance?.type ?? rental?.type ?? null,
    machineId: instance?.machineId ?? rental?.machineId ?? null,
    hostId: instance?.hostId ?? rental?.hostId ?? null,
    country: of.country,
    offerId: rental?.offerId ?? null,
    image: instance === null ? (quoted.instance?.image ?? null) : instance.image,
    diskGb: instance?.diskSpaceGb ?? rental?.diskGb ?? null,
    sshHost: instance?.sshHost ?? null,
    sshPort: instance?.sshPort ?? null,
    startedAt: iso(instance?.startedAt),
    hostEndsAt: instance === null ? (quoted.endsAt ?? null) : iso(instance.endsAt),
    usdPerHour: of.usdPerHour,
    billedUsdPerHour: of.billedUsdPerHour,
    runningUsdPerHour: of.runningUsdPerHour,
    stoppedUsdPerDay: of.stoppedUsdPerDay,
    bidUsdPerHour: bidOfInstance(instance, rental),
    minBidUsdPerHour: instance?.minBidUsdPerHour ?? null,
    maxUsdPerHour: rental?.maxUsdPerHour ?? null,
    quotedUsdPerHour: rental?.usdPerHour ?? null,
    cost: { ...cost, chargedUntil: iso(cost.chargedUntil) },
    gpuUtilPercent: instance?.gpuUtilPercent ?? null,
    idle: of.idle,
    cheaper: of.cheaper === null ? null : { ...of.cheaper, hostEndsAt: iso(of.cheaper.hostEndsAt) },
    wanted: plan?.wanted ?? null,
    wantedBy: (plan?.wanted ?? null) === null ? null : (plan?.wantedBy ?? null),
    wantedProblem: plan?.problem ?? null,
    maxHours: plan?.maxHours ?? null,
    endAction: plan?.endAction ?? null,
    endsAt: iso(plan?.endsAt),
    idleMinutes: plan?.idleMinutes ?? null,
    idlePercent: plan?.idlePercent ?? null,
    maxUsd: plan?.maxUsd ?? null,
    warnMinutes: plan?.warnMinutes ?? null,
    cheaperPercent: plan?.cheaperPercent ?? null,
    cheaperBooks: plan?.cheaperBooks ?? null,
    cheaperOfBooks: plan?.cheaperOfBooks ?? null,
    cheaperAction: plan?.cheaperAction ?? null,
    found: presentFound(plan?.cheaperState ?? null),
    ending: presentEnding(plan?.ending ?? null),
    createdAt: iso(rental?.createdAt ?? instance?.firstSeenAt),
    readyAt: iso(rental?.readyAt),
    failedStartAt: iso(rental?.failedStartAt),
    endedAt: iso(rental?.endedAt ?? instance?.goneAt),
  };
}
