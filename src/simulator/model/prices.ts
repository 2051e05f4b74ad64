import { type Chance, purposeOf } from './chance.ts';
import type { Chunk } from './chunks.ts';
import { modelUsdPerHour } from './demand.ts';
import { type Machine, priceEpoch } from './machines.ts';

/** A machine's price during one price epoch, which is identified by its index. */
export interface MachinePrice {
  epoch: number;
  usdPerGpuHour: number;
  /** Minimum bid divided by price; 0 and values above 1 occur. */
  bidRatio: number;
}

const p = {
  mood: purposeOf('price mood'),
  outlier: purposeOf('joke price'),
  outlierKind: purposeOf('kind of joke'),
  bid: purposeOf('bid ratio'),
  bidKind: purposeOf('kind of bid'),
};

/** The market's fee on top of the host's price. */
const marketFee = 4 / 3;
const shareOfOutliers = 0.006;
const highestOfferUsd = 39.95;
const lowestOfferUsd = 0.0196;
const lowestGpuUsd = 0.0058;

/** Returns a machine's price at a moment: the model's market price when the epoch began, times the host's factor. */
export function machinePrice(
  chance: Chance,
  machine: Machine,
  tierFactor: number,
  atS: number,
): MachinePrice {
  const { index, startS } = priceEpoch(machine, atS);
  const level = modelUsdPerHour(chance, machine.model, startS);
  const mood = 0.94 + 0.12 * chance(p.mood, machine.key, index);
  const asked = (level * machine.markup * machine.host.markup * tierFactor * mood) / marketFee;
  return {
    epoch: index,
    usdPerGpuHour: outlierPrice(chance, machine, index) ?? roundAsHosts(asked) * marketFee,
    bidRatio: bidRatio(chance, machine.key, index),
  };
}

/** Returns `dph_base` of a chunk at its machine's price, within the observed range. */
export function chunkBaseUsdPerHour(price: MachinePrice, chunk: Chunk): number {
  const usd = price.usdPerGpuHour * chunk.count * chunk.priceFactor;
  return Math.min(highestOfferUsd, Math.max(usd, lowestOfferUsd, lowestGpuUsd * chunk.count));
}

function outlierPrice(chance: Chance, machine: Machine, epoch: number): number | null {
  if (chance(p.outlier, machine.key, epoch) >= shareOfOutliers) return null;
  const kind = chance(p.outlierKind, machine.key, epoch);
  if (kind < 0.4) return highestOfferUsd / machine.numGpus;
  return machine.model.usdPerHour * (kind < 0.7 ? 7 : 0.12);
}

/** Hosts use round figures: steps of about 1 %. */
function roundAsHosts(usd: number): number {
  const step = usd < 0.2 ? 0.001 : usd < 1 ? 0.005 : 0.02;
  return Math.max(step, Math.round(usd / step) * step);
}

function bidRatio(chance: Chance, machineKey: number, epoch: number): number {
  const kind = chance(p.bidKind, machineKey, epoch);
  const at = chance(p.bid, machineKey, epoch);
  if (kind < 0.007) return 0;
  if (kind < 0.063) return 1.02 + at;
  // Half below and half above 0.7 of the price.
  return at < 0.5 ? 0.4 + 0.6 * at : 0.7 + 0.6 * (at - 0.5);
}
