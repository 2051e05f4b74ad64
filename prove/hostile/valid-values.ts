import type { Operation, Parameter, Schema } from './api-operations.ts';
import { type KnownValues, listOf } from './known-values.ts';
import { pick, type Random } from './pick.ts';

/** Sources of valid values. */
export interface Surroundings {
  known: KnownValues;
  random: Random;
  /** Range of time that has books. */
  from: Date;
  to: Date;
}

const uuid = (random: Random): string => {
  const hex = (length: number): string =>
    Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
};

const momentIn = ({ from, to, random }: Surroundings): string => {
  const at = new Date(from.getTime() + Math.floor(random() * (to.getTime() - from.getTime())));
  return random() < 0.3 ? at.toISOString().slice(0, 10) : at.toISOString();
};

type Make = (around: Surroundings) => unknown;

/** Parameters and fields whose schema does not say all that a valid value needs. */
const byName: Readonly<Record<string, Make>> = {
  ...{ from: momentIn, to: momentIn, at: momentIn, asOf: ({ to }) => to.toISOString() },
  timeZone: ({ random }) => pick(['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia'], random),
  cron: ({ random }) => pick(['0 8 * * *', '*/10 * * * *', '0 30 6 * * 1'], random),
  country: ({ known, random }) => known.one('country', random) ?? 'DE',
  gpuName: ({ known, random }) => known.one('gpuName', random) ?? 'RTX 4090',
  machineId: ({ known, random }) => known.one('machineId', random) ?? 1,
  excludeMachineId: ({ known, random }) => known.one('machineId', random) ?? 1,
  hostId: ({ known, random }) => known.one('hostId', random) ?? 1,
  excludeHostId: ({ known, random }) => known.one('hostId', random) ?? 1,
  numGpus: ({ random }) => pick([1, 2, 4, 8], random),
  offerId: ({ known, random }) => known.one('offerId', random) ?? 1,
  instanceId: ({ known, random }) => known.one('instanceId', random) ?? null,
  volumeOfferId: ({ known, random }) => known.one('volumeOfferId', random) ?? 1,
  hashId: ({ known, random }) => known.one('hashId', random) ?? 'b'.repeat(32),
  templateHashId: ({ known, random }) => known.one('hashId', random) ?? 'b'.repeat(32),
  templateId: ({ known, random }) => known.one('templateId', random) ?? 1,
  watchId: ({ known, random }) => known.one('/api/watches', random) ?? uuid(random),
  ruleId: ({ known, random }) => known.one('/api/rules', random) ?? uuid(random),
  budgetId: ({ known, random }) => known.one('/api/budgets', random) ?? uuid(random),
  channelId: ({ known, random }) => known.one('/api/channels', random) ?? uuid(random),
  channelIds: ({ known, random }) => [known.one('/api/channels', random)].filter((id) => id !== null),
  watch: ({ known, random }) => known.one('/api/watches', random) ?? uuid(random),
  token: ({ known, random }) => known.one('sheet', random) ?? 'no-such-token',
  cursor: ({ known, random }) => known.one('nextCursor', random) ?? '',
  market: ({ known, random }) => known.one('market', random) ?? 'simulator',
  filters: () => '{"name":{"eq":"trainer"}}',
  orderBy: ({ random }) => pick(['name', 'count_created', 'id'], random),
  head: () => 'a'.repeat(64),
  key: ({ random }) => pick(['2026-07', 'compute', 'none'], random),
  locale: ({ random }) => pick(['de-DE', 'en-US'], random),
  env: ({ random }) => pick(['-e A=1 -p 80:80', '-e HF=x'], random),
  image: ({ random }) => pick(['ubuntu:24.04', 'pytorch/pytorch:latest'], random),
  amountUsd: ({ random }) => pick(['12.5', '-3', '0.000001'], random),
  monthlyUsd: ({ random }) => pick(['100', '2500.50'], random),
  diskGb: ({ random }) => pick([10, 20, 35], random),
  sizeGb: ({ random }) => pick([10, 20], random),
  extraFilters: () => ({ num_gpus: { gte: 2 } }),
  quietHours: () => ({ from: '22:00', to: '06:00' }),
  of: () => ({ m: 1, n: 2 }),
  role: ({ random }) => pick(['viewer', 'operator', 'feed'], random),
};

/** Returns a value that fits the schema and exists, if one is known. */
function validValue(name: string, schema: Schema, around: Surroundings): unknown {
  const { random } = around;
  const isList = schema.type === 'array';
  const isChoice = schema.enum !== undefined || schema.items?.enum !== undefined;
  // `of` is a choice in one place and an object in another.
  if (Object.hasOwn(byName, name) && !isChoice) {
    const value = byName[name]?.(around);
    return isList && !Array.isArray(value) ? [value] : value;
  }
  return bySchema(name, schema, random, around);
}

function bySchema(name: string, schema: Schema, random: Random, around: Surroundings): unknown {
  if (schema.enum !== undefined) return pick(schema.enum, random);
  if (schema.anyOf !== undefined) return validValue(name, pick(schema.anyOf, random), around);
  const types = [schema.type ?? 'object'].flat();
  const type = types.find((each) => each !== 'null');
  const least = schema.minimum ?? schema.exclusiveMinimum ?? 0;
  const most = Math.min(schema.maximum ?? least + 100, least + 100);
  switch (type) {
    case 'string':
      if (schema.format === 'uuid') return uuid(random);
      if (schema.format === 'date-time') return momentIn(around);
      return `fuzz ${Math.floor(random() * 1e9)}`;
    case 'integer':
      return Math.max(1, Math.floor(least + random() * (most - least)));
    case 'number':
      return Number((least + (0.05 + random() * 0.9) * (most - least)).toFixed(3));
    case 'boolean':
      return random() < 0.5;
    case 'array':
      return schema.items === undefined ? [] : [validValue(name, schema.items, around)];
    default:
      return validObject(schema, around);
  }
}

/** An object with all required fields and some of the others. */
export function validObject(schema: Schema, around: Surroundings): Record<string, unknown> {
  const fields = Object.entries(schema.properties ?? {});
  const required = new Set(schema.required ?? []);
  const chance = Math.min(0.5, 3 / Math.max(1, fields.length - required.size));
  const taken = fields.filter(([name]) => required.has(name) || around.random() < chance);
  return Object.fromEntries(taken.map(([name, each]) => [name, validValue(name, each, around)]));
}

/** A valid value of a parameter; ids in paths are those of the list that the path is below. */
export function validParameter(operation: Operation, parameter: Parameter, around: Surroundings): unknown {
  const { name, in: place, schema } = parameter;
  const { known, random } = around;
  if (place === 'header') return uuid(random);
  if (name === 'file' && schema.enum === undefined)
    return pick(['spend.csv', 'offers.json', 'focus.csv', 'rankings.xlsx'], random);
  if (place !== 'path' || name !== 'id') return validValue(name, schema, around);
  const list = listOf(operation.path);
  const own: Record<string, string> = {
    '/api/listings': 'listingId',
    '/api/instances': 'instanceId',
    '/api/volumes': 'volumeId',
    '/api/rentals': 'rentalId',
  };
  return known.one(own[list] ?? list, random) ?? bySchema(name, schema, random, around);
}
