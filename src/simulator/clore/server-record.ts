import { type Chance, pickOne, purposeOf } from '../model/chance.ts';
import type { OfferRecord } from '../model/offer-record.ts';

/** A server as the second marketplace lists it. Source: docs/clore.md#servers. */
export type ServerRecord = Readonly<Record<string, unknown>> & { id: number; rented: boolean };

const p = {
  price: purposeOf('clore price'),
  spot: purposeOf('clore spot'),
  oddity: purposeOf('clore oddity'),
  spelling: purposeOf('clore spelling'),
  rating: purposeOf('clore rating'),
  rental: purposeOf('clore rental'),
};

/** Kinds of odd servers, each with its share of all; the rest have a plain price in dollars. */
const oddities = [
  ['coins only', 0.06],
  ['conversion alone', 0.05],
  ['doubtful', 0.03],
  ['mixed models', 0.02],
  ['partly rented', 0.03],
  ['no spot', 0.04],
] as const;
type Oddity = (typeof oddities)[number][0];

/** Returns the oddity of a server; null: none. */
function oddityOf(chance: Chance, key: number): Oddity | null {
  let at = chance(p.oddity, key);
  for (const [oddity, share] of oddities) {
    if (at < share) return oddity;
    at -= share;
  }
  return null;
}

const clorePerUsd = 140;
const btcPerUsd = 1 / 95_000;

/**
 * Returns the server for a whole machine of the generated market, with prices of its own. A server keeps its oddity for
 * life. Source: docs/clore.md#servers.
 */
export function serverRecord(
  chance: Chance,
  { onDemand, bidUsdPerHour }: { onDemand: OfferRecord; bidUsdPerHour: number | null },
): ServerRecord {
  const key = onDemand.machine_id;
  const oddity = oddityOf(chance, key);
  const usdPerDay = round(onDemand.dph_base * 24 * (0.78 + 0.34 * chance(p.price, key)));
  const spotUsdPerDay = round(
    (bidUsdPerHour ?? onDemand.dph_base * 0.5) * 24 * (0.8 + 0.3 * chance(p.spot, key)),
  );
  const gpus: string[] = new Array(onDemand.num_gpus).fill(spelledName(chance, onDemand));
  if (oddity === 'mixed models') gpus.push('NVIDIA GeForce GTX 1060 6GB');
  const partial = oddity === 'partly rented' && gpus.length > 1;
  return {
    id: key,
    owner: onDemand.host_id,
    mrl: pickOne([24, 96, 168, 720, 3_000], chance(p.rental, key)),
    rented: !onDemand.rentable,
    allowed_coins:
      oddity === 'coins only' ? ['CLORE-Blockchain'] : ['CLORE-Blockchain', 'bitcoin', 'USD-Blockchain'],
    reliability: onDemand.reliability2,
    rating: {
      avg: Math.round(30 + 20 * chance(p.rating, key)) / 10,
      cnt: Math.floor(60 * chance(p.rating, key, 1)),
    },
    cuda_version: onDemand.cuda_max_good === null ? null : onDemand.cuda_max_good.toFixed(1),
    gpu_array: gpus,
    specs: {
      mb: onDemand.mobo_name ?? 'unknown',
      cpu: onDemand.cpu_name,
      cpus: `${Math.max(1, Math.round((onDemand.cpu_cores ?? 16) / 2))}/${onDemand.cpu_cores ?? 16}`,
      ram: Math.round(onDemand.cpu_ram / 102.4) / 10,
      disk: `SSD ${onDemand.disk_space.toFixed(1)}GB`,
      disk_speed: onDemand.disk_bw,
      gpu: `${gpus.length}x ${gpus[0]}`,
      gpuram: Math.round(onDemand.gpu_ram / 1_024),
      pcie_rev: onDemand.pci_gen,
      pcie_width: onDemand.gpu_lanes,
      net: {
        up: onDemand.inet_up,
        down: onDemand.inet_down,
        cc: /([A-Z]{2})$/.exec(onDemand.geolocation ?? '')?.[1] ?? '',
      },
    },
    ...(partial ? { partial_gpu_rental: { total_gpus: gpus.length, available_gpus: gpus.length - 1 } } : {}),
    price: priceRecord(oddity, usdPerDay, spotUsdPerDay),
  };
}

function priceRecord(oddity: Oddity | null, usdPerDay: number, spotUsdPerDay: number): object {
  const inCoins = (usd: number) => ({ bitcoin: usd * btcPerUsd, 'CLORE-Blockchain': usd * clorePerUsd });
  const inDollars =
    oddity === 'coins only' || oddity === 'conversion alone' ? {} : { 'USD-Blockchain': usdPerDay };
  const spot =
    oddity === 'coins only'
      ? inCoins(spotUsdPerDay)
      : { ...inCoins(spotUsdPerDay), 'USD-Blockchain': spotUsdPerDay };
  return {
    on_demand: { ...inCoins(usdPerDay), ...inDollars },
    spot: oddity === 'no spot' ? {} : spot,
    usd: {
      on_demand_usd: oddity === 'coins only' ? null : usdPerDay,
      on_demand_clore: oddity === 'doubtful' ? usdPerDay * 1.6 : usdPerDay * 1.01,
      on_demand_btc: usdPerDay * 0.99,
    },
  };
}

/** Returns the model as the driver spells it, or for some servers as the other marketplace does. */
function spelledName(chance: Chance, { machine_id, gpu_name }: OfferRecord): string {
  if (chance(p.spelling, machine_id) < 0.2) return gpu_name;
  const long = gpu_name
    .replace(/^Q RTX/, 'Quadro RTX')
    .replace(/ laptop$/, ' Laptop GPU')
    .replace(/(\d)S Ti$/, '$1 Ti SUPER')
    .replace(/(\d)S$/, (whole, digit) => (gpu_name.startsWith('RTX') ? `${digit} SUPER` : whole))
    .replace(/(\d{4})Ada$/, '$1 Ada Generation');
  return /^(?:GTX|RTX \d{4}(?! Ada))/.test(long) ? `NVIDIA GeForce ${long}` : `NVIDIA ${long}`;
}

const round = (usd: number): number => Math.round(usd * 1e4) / 1e4;
