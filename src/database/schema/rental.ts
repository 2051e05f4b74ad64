import {
  bigint,
  boolean,
  check,
  doublePrecision,
  foreignKey,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  sql,
  text,
  unique,
  uuid,
} from '../drizzle.ts';
import { json, market, moment, pricingType } from './market.ts';

const marketNumber = (name: string) => bigint(name, { mode: 'number' });

/**
 * A request to rent and its outcome. It is stored before the first byte of its create is sent; one that was refused
 * before that is deleted. Source: docs/meaning.md#rent-and-settle.
 */
export const rental = pgTable(
  'rental',
  {
    id: uuid().primaryKey(),
    marketId: integer('market_id')
      .notNull()
      .references(() => market.id),
    idempotencyKey: text('idempotency_key').notNull(),
    /** SHA-256 of the body of the request with this key. */
    bodyHash: text('body_hash').notNull(),
    state: text().notNull(),
    /** Why it failed, is unsettled or was refused a step; null: no reason. */
    reason: text(),
    /** The name of the requesting token. */
    rentedBy: text('rented_by').notNull(),
    label: text(),
    costCenter: text('cost_center'),
    watchId: uuid('watch_id'),
    offerId: marketNumber('offer_id').notNull(),
    machineId: marketNumber('machine_id').notNull(),
    hostId: marketNumber('host_id'),
    gpuName: text('gpu_name').notNull(),
    numGpus: smallint('num_gpus').notNull(),
    type: pricingType().notNull(),
    diskGb: doublePrecision('disk_gb').notNull(),
    /** $/hour of the fresh quote for the whole machine: base or bid, storage, a new volume. */
    usdPerHour: numeric('usd_per_hour').notNull(),
    baseUsdPerHour: numeric('base_usd_per_hour').notNull(),
    storageUsdPerGbMonth: numeric('storage_usd_per_gb_month'),
    volumeUsdPerHour: numeric('volume_usd_per_hour'),
    bidUsdPerHour: numeric('bid_usd_per_hour'),
    /** The cap of the request; null: none. */
    maxUsdPerHour: numeric('max_usd_per_hour'),
    quote: json().notNull(),
    /** The request without secrets, and with them encrypted; null: not stored. */
    request: json().notNull(),
    sealedRequest: text('sealed_request'),
    /** Instances that the account had just before the create. */
    baseline: bigint({ mode: 'number' }).array().notNull(),
    instanceId: marketNumber('instance_id'),
    /** `notify` or `replace`. */
    onFailure: text('on_failure').notNull(),
    replacementsLeft: smallint('replacements_left').notNull().default(0),
    /** The rental that this one replaces. */
    replacesId: uuid('replaces_id'),
    provisionMinutes: doublePrecision('provision_minutes').notNull(),
    createdAt: moment('created_at').notNull(),
    /** Set before the first byte of the create is sent. */
    sentAt: moment('sent_at'),
    /** After this time an unlisted instance is no longer expected. */
    settleBy: moment('settle_by'),
    settledAt: moment('settled_at'),
    firstRunningAt: moment('first_running_at'),
    readyAt: moment('ready_at'),
    /** When it failed to start; its owner must decide what to do. */
    failedStartAt: moment('failed_start_at'),
    endedAt: moment('ended_at'),
  },
  (t) => [
    unique('rental_key').on(t.marketId, t.idempotencyKey),
    unique('rental_instance').on(t.marketId, t.instanceId),
    index('rental_open').on(t.marketId, t.state).where(sql`${t.endedAt} is null`),
    index('rental_created').on(t.marketId, t.createdAt),
    index('rental_replaces').on(t.replacesId).where(sql`${t.replacesId} is not null`),
    check('rental_on_failure', sql`${t.onFailure} in ('notify', 'replace')`),
    check(
      'rental_state',
      sql`${t.state} in ('pending', 'creating', 'settling', 'unsettled', 'failed', 'provisioning', 'running',
        'ready', 'stopped', 'down', 'start-failed', 'destroying', 'destroyed')`,
    ),
  ],
);

/** Every state that a rental has had, oldest first. */
export const rentalEvent = pgTable(
  'rental_event',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    rentalId: uuid('rental_id')
      .notNull()
      .references(() => rental.id, { onDelete: 'cascade' }),
    at: moment('at').notNull(),
    state: text().notNull(),
    reason: text(),
  },
  (t) => [index('rental_event_rental').on(t.rentalId, t.id)],
);

/** The wanted state of an instance, set by a person or a limit, whoever rented it. */
export const instancePlan = pgTable(
  'instance_plan',
  {
    marketId: integer('market_id')
      .notNull()
      .references(() => market.id),
    instanceId: marketNumber('instance_id').notNull(),
    /** `running`, `stopped` or `destroyed`; null: nothing was requested. */
    wanted: text(),
    wantedAt: moment('wanted_at'),
    wantedBy: text('wanted_by'),
    /** null: not sent yet, or without a clear answer. */
    acceptedAt: moment('accepted_at'),
    attempts: integer().notNull().default(0),
    triedAt: moment('tried_at'),
    problem: text(),
    costCenter: text('cost_center'),
    maxHours: doublePrecision('max_hours'),
    /** `stop` or `destroy`. */
    endAction: text('end_action'),
    /** Of `max_hours`, or set as a moment. */
    endsAt: moment('ends_at'),
    idleMinutes: doublePrecision('idle_minutes'),
    idlePercent: doublePrecision('idle_percent'),
    /** Only later polls count as idle. */
    idleFrom: moment('idle_from'),
    maxUsd: numeric('max_usd'),
    /** When its cost was first seen to reach `max_usd`. */
    spentAt: moment('spent_at'),
    warnMinutes: doublePrecision('warn_minutes'),
    /** The end that comes within `warn_minutes`, by the last poll; null: none. */
    ending: json(),
    cheaperPercent: doublePrecision('cheaper_percent'),
    /** A machine counts as cheaper after this many of the newest `cheaper_of_books` books. */
    cheaperBooks: smallint('cheaper_books'),
    cheaperOfBooks: smallint('cheaper_of_books'),
    /** `notify` or `replace`. */
    cheaperAction: text('cheaper_action'),
    /** The cheaper offers of the newest books, and what became of them; null: no book since it was set. */
    cheaper: json(),
  },
  (t) => [
    primaryKey({ columns: [t.marketId, t.instanceId] }),
    check('instance_plan_wanted', sql`${t.wanted} in ('running', 'stopped', 'destroyed')`),
    check('instance_plan_end_action', sql`${t.endAction} in ('stop', 'destroy')`),
    check('instance_plan_cheaper_action', sql`${t.cheaperAction} in ('notify', 'replace')`),
  ],
);

/** Facts known about an instance from a moment on, so that earlier sums can be reproduced. */
export const instanceFact = pgTable(
  'instance_fact',
  {
    marketId: integer('market_id')
      .notNull()
      .references(() => market.id),
    instanceId: marketNumber('instance_id').notNull(),
    /** From this moment until the next row. */
    seenAt: moment('seen_at').notNull(),
    gpuName: text('gpu_name'),
    numGpus: smallint('num_gpus'),
    machineId: marketNumber('machine_id'),
    type: pricingType(),
    diskSpaceGb: doublePrecision('disk_space_gb'),
    /** As the list of instances had it. */
    listedLabel: text('listed_label'),
    /** The label that a person gave its rental. */
    label: text(),
    rentedBy: text('rented_by'),
    costCenter: text('cost_center'),
  },
  (t) => [primaryKey({ columns: [t.marketId, t.instanceId, t.seenAt] })],
);

/** Rates and statuses of an instance over time, from its first list: the basis of its estimated cost. */
export const instanceRate = pgTable(
  'instance_rate',
  {
    marketId: integer('market_id').notNull(),
    instanceId: marketNumber('instance_id').notNull(),
    /** From this moment until the next row. */
    fromAt: moment('from_at').notNull(),
    /** Running: everything is billed; else only the disk. */
    computing: boolean().notNull(),
    /** The instance is gone: nothing is billed. */
    gone: boolean().notNull().default(false),
    baseUsdPerHour: numeric('base_usd_per_hour'),
    storageUsdPerHour: numeric('storage_usd_per_hour'),
    /** When it became known; it may apply to an earlier time. */
    seenAt: moment('seen_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.marketId, t.instanceId, t.fromAt, t.seenAt] })],
);

/** Changes to the account, before and after; never edited, and each row contains the hash of the previous one. */
export const auditLog = pgTable(
  'audit_log',
  {
    /** From 1, without gaps. */
    seq: bigint({ mode: 'number' }).primaryKey(),
    at: moment('at').notNull(),
    market: text().notNull(),
    actor: text().notNull(),
    action: text().notNull(),
    /** `before`, `after`, `refused`. */
    phase: text().notNull(),
    rentalId: uuid('rental_id'),
    instanceId: marketNumber('instance_id'),
    /** JSON text without secrets, exactly as hashed. */
    detail: text().notNull(),
    previousHash: text('previous_hash').notNull(),
    hash: text().notNull(),
  },
  (t) => [
    index('audit_log_instance').on(t.instanceId).where(sql`${t.instanceId} is not null`),
    index('audit_log_rental').on(t.rentalId).where(sql`${t.rentalId} is not null`),
  ],
);

/** The kill switch in one row; without a row it was never used. */
export const actionSwitch = pgTable(
  'action_switch',
  {
    id: smallint().primaryKey(),
    enabled: boolean().notNull(),
    changedAt: moment('changed_at').notNull(),
    changedBy: text('changed_by').notNull(),
  },
  (t) => [check('action_switch_one', sql`${t.id} = 1`)],
);

/** The events of `/api/events`, in commit order; kept for a day. */
export const event = pgTable(
  'event',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: moment('at').notNull(),
    marketId: integer('market_id'),
    kind: text().notNull(),
    data: json().notNull(),
  },
  (t) => [index('event_at').on(t.at), foreignKey({ columns: [t.marketId], foreignColumns: [market.id] })],
);
