import { between, type Chance, logBetween, pickWeighted, purposeOf } from './chance.ts';
import { dayS, epochAt, epochIndex, hourS } from './epochs.ts';
import { isUnknown } from './fixed-record.ts';
import { drivers } from './hardware.ts';
import type { Machine } from './machines.ts';
import { type MachinePrice, machinePrice } from './prices.ts';

/** Slowly changing properties of a machine at one moment, the same for all its chunks. */
export interface MachineState {
  verification: 'verified' | 'unverified' | 'deverified';
  /** 1 verified, 0 unverified, else deverified. */
  vericode: number;
  reliability: number;
  driverVersion: string | null;
  driverVers: number | null;
  cudaMaxGood: number | null;
  inetDown: number;
  inetUp: number;
  gpuMaxTemp: number;
  /** Unix seconds: the host offers the machine until then. */
  endS: number;
  price: MachinePrice;
}

const p = {
  tier: purposeOf('tier'),
  deverified: purposeOf('kind of deverified'),
  reliability: purposeOf('reliability'),
  wobble: purposeOf('reliability wobble'),
  driver: purposeOf('driver'),
  bandwidth: purposeOf('measured bandwidth'),
  heat: purposeOf('heat'),
  term: purposeOf('term of offer'),
};

const tierFactors = { verified: 1.06, unverified: 0.97, deverified: 0.9 };
/** Minimum rest of a term when it is renewed: offers end no sooner. */
const minTermS = 9600;

/** Returns the machine's state at a moment. */
export function machineState(chance: Chance, machine: Machine, atS: number): MachineState {
  const { key, phase, host } = machine;
  const tier = tierOf(chance(p.tier, key, epochIndex(atS, 60 * dayS, phase)));
  const [driverVersion, cudaMaxGood] = pickWeighted(
    drivers,
    chance(p.driver, key, epochIndex(atS, 50 * dayS, phase)),
  );
  const speed = between(0.92, 1.08, chance(p.bandwidth, key, epochIndex(atS, dayS, phase)));
  const termS = logBetween(2, 250, chance(p.term, key)) * dayS;
  return {
    verification: tier,
    vericode:
      tier === 'verified' ? 1 : tier === 'unverified' ? 0 : 2 + Math.floor(chance(p.deverified, key) * 32),
    reliability: reliabilityOf(chance, machine, tier, atS),
    driverVersion: isUnknown(chance, key, 'driver_version') ? null : driverVersion,
    driverVers: isUnknown(chance, key, 'driver_vers') ? null : driverNumber(driverVersion),
    cudaMaxGood: isUnknown(chance, key, 'cuda_max_good') ? null : cudaMaxGood,
    inetDown: Math.round(host.inetDown * speed * 10) / 10,
    inetUp: Math.round(host.inetUp * speed * 10) / 10,
    gpuMaxTemp: 30 + Math.floor(55 * chance(p.heat, key, epochIndex(atS, hourS, phase))),
    endS: Math.floor(epochAt(atS, termS, phase).endS + minTermS),
    price: machinePrice(chance, machine, tierFactors[tier], atS),
  };
}

function tierOf(at: number): MachineState['verification'] {
  if (at < 0.52) return 'verified';
  return at < 0.72 ? 'unverified' : 'deverified';
}

function reliabilityOf(
  chance: Chance,
  machine: Machine,
  tier: MachineState['verification'],
  atS: number,
): number {
  const at = chance(p.reliability, machine.key);
  const usual = tier === 'verified' ? 1 - logBetween(0.0004, 0.05, at) : 1 - logBetween(0.002, 0.38, at);
  const wobble = between(0.9, 1.1, chance(p.wobble, machine.key, epochIndex(atS, 12 * hourS, machine.phase)));
  const reliability = Math.min(0.9997, Math.max(0.6, 1 - (1 - usual) * wobble));
  return Math.round(reliability * 1e7) / 1e7;
}

/** Returns `580.126.09` as the number 580126009. */
function driverNumber(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return major * 1_000_000 + minor * 1000 + patch;
}
