import { type Chance, purposeOf } from './chance.ts';
import { dayS, epochIndex, hourS } from './epochs.ts';
import type { GpuModel } from './gpu-models.ts';
import type { Machine } from './machines.ts';

const p = {
  wave: purposeOf('price wave'),
  busy: purposeOf('demand wave'),
  wanted: purposeOf('wanted'),
  partly: purposeOf('partly taken'),
  howMany: purposeOf('how many taken'),
  offline: purposeOf('offline'),
};

/** Period of a wave in days and its amplitude; long and short, so that two weeks show a trend and some noise. */
const priceWaves = [
  [5.5, 0.03],
  [17, 0.06],
  [61, 0.08],
  [390, 0.12],
] as const;
const demandWaves = [
  [2.3, 0.02],
  [9, 0.05],
  [23, 0.05],
] as const;

const usualDemand = 0.53;
const daySwing = 0.11;
const weekSwing = 0.03;
/** How much more often the cheapest machine is rented than the most expensive one. */
const rankPull = 0.4;

/** Returns the market's $/hour of one GPU of the model at a moment, before host and machine. */
export function modelUsdPerHour(chance: Chance, model: GpuModel, atS: number): number {
  return model.usdPerHour * Math.exp(swing(chance, p.wave, priceWaves, model, atS));
}

/**
 * Returns the share of rented machines of a model and price rank at a moment, 0 to 1: a daily cycle with its peak at
 * 16:00 UTC, quieter weekends and slow waves; cheap machines go first.
 */
function demandAt(chance: Chance, { model, rank }: Machine, atS: number): number {
  const hourOfDay = (atS % dayS) / hourS;
  const dayOfWeek = (atS / dayS + 4) % 7;
  const share =
    usualDemand +
    daySwing * Math.cos(((hourOfDay - 16) / 24) * 2 * Math.PI) +
    weekSwing * Math.cos(((dayOfWeek - 3.5) / 7) * 2 * Math.PI) +
    swing(chance, p.busy, demandWaves, model, atS) +
    rankPull * (0.5 - rank);
  return Math.min(0.96, Math.max(0.04, share));
}

/** Returns how many GPUs of a machine are rented at a moment, the last ones first; 0: all are free. */
export function takenGpus(chance: Chance, machine: Machine, atS: number): number {
  const demand = demandAt(chance, machine, atS);
  const tenancy = epochIndex(atS, machine.tenancyS, machine.phase);
  if (chance(p.wanted, machine.key, tenancy) >= demand) return 0;
  if (machine.numGpus === 1 || chance(p.partly, machine.key, tenancy) < 0.55) return machine.numGpus;
  return 1 + Math.floor(chance(p.howMany, machine.key, tenancy) * (machine.numGpus - 1));
}

/** Whether a machine is offline: 4 % of the time, for hours. */
export const isOffline = (chance: Chance, machine: Machine, atS: number): boolean =>
  chance(p.offline, machine.key, epochIndex(atS, 7 * hourS, machine.phase)) < 0.04;

function swing(
  chance: Chance,
  purpose: number,
  waves: readonly (readonly [days: number, size: number])[],
  model: GpuModel,
  atS: number,
): number {
  return waves.reduce((sum, [days, size]) => {
    const phase = chance(purpose, model.index, Math.round(days * 10));
    return sum + size * Math.sin((atS / (days * dayS) + phase) * 2 * Math.PI);
  }, 0);
}
