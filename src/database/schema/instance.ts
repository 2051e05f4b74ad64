import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
} from '../drizzle.ts';
import { market, moment, pricingType } from './market.ts';

const marketNumber = (name: string) => bigint(name, { mode: 'number' });

/** An instance of the account as its last successful list had it; secrets were removed before. */
export const instance = pgTable(
  'instance',
  {
    marketId: integer('market_id')
      .notNull()
      .references(() => market.id),
    instanceId: marketNumber('instance_id').notNull(),
    firstSeenAt: moment('first_seen_at').notNull(),
    lastSeenAt: moment('last_seen_at').notNull(),
    /** The first successful list without it; null: it is listed. */
    goneAt: moment('gone_at'),
    actualStatus: text('actual_status'),
    intendedStatus: text('intended_status'),
    currentState: text('current_state'),
    nextState: text('next_state'),
    statusMessage: text('status_message'),
    machineId: marketNumber('machine_id'),
    hostId: marketNumber('host_id'),
    gpuName: text('gpu_name'),
    numGpus: smallint('num_gpus'),
    type: pricingType(),
    label: text(),
    image: text(),
    templateId: marketNumber('template_id'),
    startedAt: moment('started_at'),
    endsAt: moment('ends_at'),
    sshHost: text('ssh_host'),
    sshPort: integer('ssh_port'),
    publicIp: text('public_ip'),
    gpuUtilPercent: doublePrecision('gpu_util_percent'),
    diskSpaceGb: doublePrecision('disk_space_gb'),
    diskUsedGb: doublePrecision('disk_used_gb'),
    baseUsdPerHour: doublePrecision('base_usd_per_hour'),
    listedUsdPerHour: doublePrecision('listed_usd_per_hour'),
    storageUsdPerGbMonth: doublePrecision('storage_usd_per_gb_month'),
    minBidUsdPerHour: doublePrecision('min_bid_usd_per_hour'),
    inetDownUsdPerGb: doublePrecision('inet_down_usd_per_gb'),
    inetUpUsdPerGb: doublePrecision('inet_up_usd_per_gb'),
    raw: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.marketId, t.instanceId] })],
);

/** Every change of an instance's status, from the first list with it; a row with `gone` ends it. */
export const instanceStatus = pgTable(
  'instance_status',
  {
    marketId: integer('market_id').notNull(),
    instanceId: marketNumber('instance_id').notNull(),
    observedAt: moment('observed_at').notNull(),
    /** As delivered, unknown values too; null: being provisioned. */
    actualStatus: text('actual_status'),
    intendedStatus: text('intended_status'),
    /** Absent from a successful list: the other fields are null. */
    gone: boolean().notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.marketId, t.instanceId, t.observedAt] })],
);

/** Every successful list of instances, for conditions that must hold in every poll. */
export const instancePoll = pgTable(
  'instance_poll',
  {
    marketId: integer('market_id')
      .notNull()
      .references(() => market.id),
    polledAt: moment('polled_at').notNull(),
    instances: integer().notNull(),
    /** Instances that the list counts without identifying them: while there are any, no instance is considered gone. */
    unidentified: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.marketId, t.polledAt] })],
);

/** What each poll saw of an instance's load; kept for some days. */
export const instanceSample = pgTable(
  'instance_sample',
  {
    marketId: integer('market_id').notNull(),
    instanceId: marketNumber('instance_id').notNull(),
    polledAt: moment('polled_at').notNull(),
    gpuUtilPercent: doublePrecision('gpu_util_percent'),
    diskUsedGb: doublePrecision('disk_used_gb'),
  },
  (t) => [
    primaryKey({ columns: [t.marketId, t.instanceId, t.polledAt] }),
    index('instance_sample_polled').on(t.polledAt),
  ],
);
