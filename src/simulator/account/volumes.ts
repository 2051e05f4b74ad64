import { InvalidArgs } from '../invalid-args.ts';
import type { OfferRow, OfferTable } from '../offer-table.ts';
import { Refusal } from '../refusal.ts';
import type { AccountState, VolumeState } from './account-state.ts';
import { amountOver, microUsd, rateOf } from './exact-usd.ts';
import { destroyedAtS } from './life.ts';

/** Default size of a volume, GB. Source: docs/marketplace.md#8-limits. */
export const defaultVolumeGb = 15;

/**
 * Storage that a machine offers beside its instances. A public extension.
 * Source: docs/marketplace.md#41-create-a-volume.
 */
export interface VolumeOffer extends OfferRow {
  id: number;
  machine_id: number;
  /** Available GB. */
  disk_space: number;
  /** $/GB/month. */
  storage_cost: number;
}

export interface Volumes {
  /** Throws InvalidArgs for more than is available and a 404 for an unknown volume offer. */
  create(wanted: { offerId: number; sizeGb: number; name: string | null }, atS: number): VolumeState;
  list(): Record<string, unknown>[];
  /** Returns an existing volume; throws a 404. */
  get(id: number): VolumeState;
  /** Throws a 404, and InvalidArgs while an instance uses it. */
  remove(id: number, atS: number): void;
}

const copied = [
  'host_id',
  'geolocation',
  'verification',
  'reliability',
  'inet_down',
  'inet_up',
  'inet_down_cost',
  'inet_up_cost',
  'disk_bw',
  'disk_name',
  'duration',
  'cpu_arch',
  'cuda_max_good',
  'driver_version',
  'hosting_type',
  'static_ip',
] as const;

/** Returns the volume offers of a book as a search lists them: one per machine, of its largest offer. */
export function volumeOffers(table: OfferTable): VolumeOffer[] {
  const byMachine = new Map<unknown, OfferRow>();
  for (const row of table.rows) {
    if (typeof row.avail_vol_ask_id !== 'number' || typeof row.avail_vol_size !== 'number') continue;
    const other = byMachine.get(row.machine_id);
    if (other === undefined || Number(other.num_gpus) < Number(row.num_gpus))
      byMachine.set(row.machine_id, row);
  }
  return [...byMachine.values()].map(volumeOfferOf);
}

/**
 * Returns the volume offer that a row of a book names as `avail_vol_ask_id`; the chunks of a machine each use another
 * id for the same storage. null: no row has it.
 */
export function findVolumeOffer(table: OfferTable, id: number): VolumeOffer | null {
  const row = table.rows.find((candidate) => candidate.avail_vol_ask_id === id);
  return row === undefined ? null : volumeOfferOf(row);
}

function volumeOfferOf(row: OfferRow): VolumeOffer {
  return {
    // Fields that a recorded book lacks stay absent, because null could be filtered by.
    ...Object.fromEntries(
      copied.flatMap((field) => (Object.hasOwn(row, field) ? [[field, row[field]]] : [])),
    ),
    id: Number(row.avail_vol_ask_id),
    machine_id: Number(row.machine_id),
    disk_space: Number(row.avail_vol_size ?? 0),
    storage_cost: Number((Number(row.avail_vol_dph ?? 0) * 720).toPrecision(12)),
    avail_vol_dph: row.avail_vol_dph ?? 0,
    rentable: true,
    rented: false,
    external: null,
  };
}

/** The volumes of an account. Source: docs/marketplace.md#24-volume, docs/marketplace.md#41-create-a-volume. */
export function createVolumes(options: {
  state: AccountState;
  takeId: () => number;
  /** Returns the volume offer with that id; null: none. */
  offerOf: (id: number) => VolumeOffer | null;
}): Volumes {
  const { state, takeId, offerOf } = options;
  const existing = () => state.volumes.filter(({ deletedS }) => deletedS === null);
  const get = (id: number): VolumeState => {
    const volume = existing().find((candidate) => candidate.id === id);
    if (volume === undefined) throw new Refusal(404, 'no_such_volume', `there is no volume ${id}`);
    return volume;
  };
  const usersOf = (id: number): number[] =>
    state.instances
      .filter((instance) => instance.volumeId === id && destroyedAtS(instance) === null)
      .map((instance) => instance.id);
  return {
    create({ offerId, sizeGb, name }, atS) {
      const offer = offerOf(offerId);
      if (offer === null) throw new Refusal(404, 'no_such_ask', `there is no volume offer ${offerId}`);
      if (sizeGb < 1) throw new InvalidArgs('size must be 1 GB or more');
      if (sizeGb > offer.disk_space) throw new InvalidArgs(`size: only ${offer.disk_space} GB can be had`);
      const id = takeId();
      const volume = {
        id,
        offerId,
        machineId: offer.machine_id,
        volumeName: name ?? `volume-${id}`,
        sizeGb,
        usdPerGbHour: String(offer.avail_vol_dph),
        createdS: atS,
        deletedS: null,
      };
      state.volumes.push(volume);
      return volume;
    },
    list: () =>
      existing().map((volume) => ({
        id: volume.id,
        status: 'active',
        label: volume.volumeName,
        volume_name: volume.volumeName,
        machine_id: volume.machineId,
        disk_space: volume.sizeGb,
        start_date: volume.createdS,
        storage_total_cost: microUsd(amountOver(rateOf([volume.usdPerGbHour, volume.sizeGb], 1), 3600)) / 1e6,
        instances: usersOf(volume.id),
      })),
    get,
    remove(id, atS) {
      const volume = get(id);
      if (usersOf(id).length > 0) throw new InvalidArgs(`volume ${id} is in use`);
      volume.deletedS = atS;
    },
  };
}
