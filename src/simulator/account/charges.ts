import type { AccountState, InstanceState, VolumeState } from './account-state.ts';
import { microUsd } from './exact-usd.ts';
import { createdAtS, destroyedAtS } from './life.ts';
import {
  type BillingRules,
  type ItemType,
  instanceMeters,
  type Meter,
  meteredSeconds,
  meteredUsd,
  volumeMeters,
} from './meters.ts';

/** The cost of one thing on one UTC day. */
export interface Charge {
  /** Unix seconds. */
  startS: number;
  /** Unix seconds; advances while the thing exists and the day lasts. */
  endS: number;
  type: 'instance' | 'volume';
  /** `instance-123` */
  source: string;
  description: string;
  /** Sum of the items, millionths of a dollar. */
  microUsd: number;
  metadata: { template_id: number | null; label: string | null; instance_id?: number; volume_id?: number };
  items: readonly { type: ItemType; description: string; microUsd: number }[];
}

interface Billed {
  type: Charge['type'];
  source: string;
  description: string;
  startS: number;
  /** null: exists. */
  endS: number | null;
  metadata: Charge['metadata'];
  meters: readonly Meter[];
}

const dayS = 86_400;

/** Returns all charges of an account up to a moment, by start. The days of a thing add up to its cost exactly. */
export function chargesAt(state: AccountState, rules: BillingRules, atS: number): Charge[] {
  return billedThings(state, rules)
    .flatMap((thing) => chargesOf(thing, rules, atS))
    .sort((a, b) => a.startS - b.startS || (a.source < b.source ? -1 : 1));
}

/** Returns the cost of everything in an account up to a moment, millionths of a dollar. */
export function consumedMicroUsd(state: AccountState, rules: BillingRules, atS: number): number {
  return billedThings(state, rules).reduce(
    (sum, { meters }) =>
      sum + meters.reduce((part, meter) => part + microUsd(meteredUsd(meter, rules, atS)), 0),
    0,
  );
}

function billedThings(state: AccountState, rules: BillingRules): Billed[] {
  return [
    ...state.instances.map((instance) => billedInstance(instance, rules)),
    ...state.volumes.map(billedVolume),
  ];
}

function billedInstance(instance: InstanceState, rules: BillingRules): Billed {
  const { id, offer, label, templateId } = instance;
  return {
    type: 'instance',
    source: `instance-${id}`,
    description: `Instance ${id}: ${String(offer.num_gpus)} x ${String(offer.gpu_name)}`,
    startS: createdAtS(instance),
    endS: destroyedAtS(instance),
    metadata: { template_id: templateId, label, instance_id: id },
    meters: instanceMeters(instance, rules),
  };
}

function billedVolume(volume: VolumeState): Billed {
  return {
    type: 'volume',
    source: `volume-${volume.id}`,
    description: `Volume ${volume.id}: ${volume.sizeGb} GB`,
    startS: volume.createdS,
    endS: volume.deletedS,
    metadata: { template_id: null, label: null, volume_id: volume.id },
    meters: volumeMeters(volume),
  };
}

function chargesOf(thing: Billed, rules: BillingRules, atS: number): Charge[] {
  const { type, source, description, metadata, meters } = thing;
  const endS = Math.min(thing.endS ?? atS, atS);
  const charges: Charge[] = [];
  for (let startS = thing.startS; startS < endS; ) {
    const nextDayS = (Math.floor(startS / dayS) + 1) * dayS;
    const dayEndS = Math.min(nextDayS, endS);
    const items = meters.flatMap((meter) => itemOf(meter, rules, startS, dayEndS));
    const sum = items.reduce((part, item) => part + item.microUsd, 0);
    charges.push({ startS, endS: dayEndS, type, source, description, microUsd: sum, metadata, items });
    startS = nextDayS;
  }
  return charges;
}

/** Differences of rounded totals, so that rounding errors never add up. */
function itemOf(meter: Meter, rules: BillingRules, fromS: number, toS: number): Charge['items'][number][] {
  const seconds = meteredSeconds(meter, rules, toS) - meteredSeconds(meter, rules, fromS);
  if (seconds === 0) return [];
  const billed = microUsd(meteredUsd(meter, rules, toS)) - microUsd(meteredUsd(meter, rules, fromS));
  const description = `${(seconds / 3600).toFixed(3)} hours at ${meter.rateText}`;
  return [{ type: meter.item, description, microUsd: billed }];
}
