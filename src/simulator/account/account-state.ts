import { z } from 'zod';

const second = z.int();
const name = z.string();

/** Phases of an instance: `outbid` waits for its bid to win again, `stopped` for its owner. */
export const lifePhases = [
  'created',
  'loading',
  'running',
  'exited',
  'unknown',
  'offline',
  'outbid',
  'stopped',
  'destroyed',
] as const;
export type LifePhase = (typeof lifePhases)[number];

const instanceSchema = z.object({
  id: z.int(),
  /** The offer at the time of the rent, with this disk size. */
  offer: z.record(name, z.unknown()),
  /** Its past phases, ascending, unix seconds; `usdPerHour` is the running cost from there. */
  steps: z.array(z.object({ fromS: second, phase: z.enum(lifePhases), usdPerHour: name })).min(1),
  diskGb: z.number(),
  isBid: z.boolean(),
  /** What its owner wants, whatever its phase. */
  intended: z.enum(['running', 'stopped']),
  label: name.nullable(),
  image: name,
  runtype: name,
  onstart: name.nullable(),
  argsStr: name.nullable(),
  env: z.record(name, name),
  extraFilters: z.record(name, z.unknown()),
  templateId: z.int().nullable(),
  templateHashId: name.nullable(),
  volumeId: z.int().nullable(),
  mountPath: name.nullable(),
  /** Hash of its restricted key, so that the key itself is not stored. */
  keySha256: name,
  jupyterToken: name,
});

const templateSchema = z.object({
  id: z.int(),
  hashId: name,
  creatorId: z.int(),
  /** Number of edits. */
  revision: z.int(),
  createdS: second,
  countCreated: z.int(),
  recentCreateS: second.nullable(),
  recommended: z.boolean(),
  /** The fields of a template with defaults. Source: docs/marketplace.md#23-template. */
  fields: z.record(name, z.unknown()),
});

const volumeSchema = z.object({
  id: z.int(),
  offerId: z.int(),
  machineId: z.int(),
  volumeName: name,
  sizeGb: z.int(),
  /** $/GB/hour, as a decimal. */
  usdPerGbHour: name,
  createdS: second,
  deletedS: second.nullable(),
});

const invoiceSchema = z.object({
  id: z.int(),
  startS: second,
  /** null: not paid yet. */
  endS: second.nullable(),
  type: name,
  source: name,
  service: name,
  description: name,
  microUsd: z.int(),
});

const keySchema = z.object({ sha256: name, name, permissions: z.array(name) });

/** Everything that an account has and did, as a JSON value. */
export const accountStateSchema = z.object({
  openedS: second,
  /** Until when automatic payments have been made. */
  settledToS: second,
  nextId: z.int(),
  instances: z.array(instanceSchema),
  templates: z.array(templateSchema),
  volumes: z.array(volumeSchema),
  invoices: z.array(invoiceSchema),
  keys: z.array(keySchema),
});

export type AccountState = z.infer<typeof accountStateSchema>;
export type InstanceState = z.infer<typeof instanceSchema>;
export type LifeStep = InstanceState['steps'][number];
export type TemplateState = z.infer<typeof templateSchema>;
export type VolumeState = z.infer<typeof volumeSchema>;
export type InvoiceState = z.infer<typeof invoiceSchema>;
export type KeyState = z.infer<typeof keySchema>;

/** Id of the account's owner among template creators. */
export const ownerId = 1001;

const firstId = 5_000_001;

/** Returns a new, empty account opened at that moment. */
export function emptyAccount(openedS: number): AccountState {
  return {
    openedS,
    settledToS: openedS,
    nextId: firstId,
    instances: [],
    templates: [],
    volumes: [],
    invoices: [],
    keys: [],
  };
}
