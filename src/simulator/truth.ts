import type { Account } from './account/account.ts';
import type { LifePhase } from './account/account-state.ts';
import { usdText } from './account/exact-usd.ts';
import { createdAtS, destroyedAtS, lastStep } from './account/life.ts';

/** An instance's actual state, for tests, even if it was destroyed. Times in unix seconds. */
export interface TrueInstance {
  id: number;
  phase: LifePhase;
  intended: 'running' | 'stopped';
  offerId: number;
  machineId: number;
  label: string | null;
  image: string;
  runtype: string;
  onstart: string | null;
  diskGb: number;
  /** Of the container; `CONTAINER_API_KEY` holds the SHA-256 of the key instead. */
  env: Readonly<Record<string, string>>;
  extraFilters: Readonly<Record<string, unknown>>;
  templateId: number | null;
  volumeId: number | null;
  isBid: boolean;
  createdS: number;
  /** null: exists. */
  destroyedS: number | null;
  steps: readonly { fromS: number; phase: LifePhase; usdPerHour: string }[];
}

/** A charge's actual state; dollars as exact decimals of six places. */
export interface TrueCharge {
  startS: number;
  endS: number;
  source: string;
  amountUsd: string;
  items: readonly { type: string; amountUsd: string }[];
}

/** An invoice's actual state. */
export interface TrueInvoice {
  id: number;
  startS: number;
  /** null: not paid yet. */
  endS: number | null;
  type: string;
  source: string;
  service: string;
  description: string;
  amountUsd: string;
}

export function trueInstances({ state, instances }: Account, atS: number): TrueInstance[] {
  instances.liveOn(atS);
  return state.instances.map((instance) => ({
    id: instance.id,
    phase: lastStep(instance).phase,
    intended: instance.intended,
    offerId: Number(instance.offer.id),
    machineId: Number(instance.offer.machine_id),
    label: instance.label,
    image: instance.image,
    runtype: instance.runtype,
    onstart: instance.onstart,
    diskGb: instance.diskGb,
    env: { ...instance.env, CONTAINER_API_KEY: instance.keySha256 },
    extraFilters: instance.extraFilters,
    templateId: instance.templateId,
    volumeId: instance.volumeId,
    isBid: instance.isBid,
    createdS: createdAtS(instance),
    destroyedS: destroyedAtS(instance),
    steps: instance.steps.map((step) => ({ ...step })),
  }));
}

export function trueCharges(account: Account, atS: number): TrueCharge[] {
  return account.chargesAt(atS).map(({ startS, endS, source, microUsd, items }) => ({
    startS,
    endS,
    source,
    amountUsd: usdText(microUsd),
    items: items.map((item) => ({ type: item.type, amountUsd: usdText(item.microUsd) })),
  }));
}

export function trueInvoices(account: Account, atS: number): TrueInvoice[] {
  return account.invoicesAt(atS).map(({ microUsd, ...invoice }) => ({
    ...invoice,
    amountUsd: usdText(microUsd),
  }));
}
