import type { BookQuery, OfferSource } from '../offer-source.ts';
import { createOfferTable, type OfferTable } from '../offer-table.ts';
import { type Chance, createChance, purposeOf } from './chance.ts';
import { type Chunk, idStartS } from './chunks.ts';
import { isOffline, takenGpus } from './demand.ts';
import { epochIndex } from './epochs.ts';
import { fixedRecord, isUnknown } from './fixed-record.ts';
import { createHosts } from './hosts.ts';
import { liveRecord } from './live-record.ts';
import { type MachineState, machineState } from './machine-state.ts';
import { createMachines, type Machine } from './machines.ts';
import { createOfferIds } from './offer-ids.ts';
import type { OfferRecord } from './offer-record.ts';
import { chunkBaseUsdPerHour } from './prices.ts';

const p = {
  hidden: purposeOf('hidden'),
  flapLength: purposeOf('flap length'),
  standing: purposeOf('standing'),
};

/** Average number of rentable offers per machine, measured, so that a book has the requested size. */
const offersPerMachine = 0.74;
const tickS = 10;
const shareHidden = 0.1;
/** Greater than any score. */
const setAside = 1e9;
const shareSetAside = 0.24;
const keptTables = 4;

/**
 * A generated market: a pure function of the seed, the size and the moment, to ten seconds. Listings are hidden a
 * tenth of the time for some minutes. Without an order the best offers come first, but every ten seconds another
 * quarter of them is put last, so that a short answer is never twice the same.
 */
export function createMarketModel(options: { seed: number; offersPerType: number }): OfferSource {
  const chance = createChance(options.seed);
  const places = Math.max(1, Math.round(options.offersPerType / offersPerMachine));
  const hosts = createHosts(options.seed, chance, places);
  const machines = createMachines(options.seed, chance, places, hosts.of);
  const idOf = createOfferIds(options.seed, places);
  const fixedRecords = new WeakMap<Chunk, OfferRecord>();
  const tables = new Map<string, OfferTable>();

  function recordsAt(query: BookQuery, atS: number): OfferRecord[] {
    const records: OfferRecord[] = [];
    for (let place = 0; place < places; place += 1) {
      const machine = machines.at(place, atS);
      if (isOffline(chance, machine, atS)) continue;
      const free = machine.numGpus - takenGpus(chance, machine, atS);
      if (free === 0 && query.rentableOnly) continue;
      const state = machineState(chance, machine, atS);
      for (const chunk of machine.chunks) {
        const rentable = chunk.first + chunk.count <= free;
        if (query.rentableOnly && !rentable) continue;
        if (isHidden(chance, machine, chunk, atS)) continue;
        const record = recordOf(machine, chunk, state, { rentable, atS, query });
        if (query.type !== 'reserved' || record.credit_discount_max > 0) records.push(record);
      }
    }
    return records;
  }

  function recordOf(
    machine: Machine,
    chunk: Chunk,
    state: MachineState,
    now: { rentable: boolean; atS: number; query: BookQuery },
  ): OfferRecord {
    const fixed = fixedRecords.get(chunk) ?? fixedRecord(chance, machine, chunk);
    fixedRecords.set(chunk, fixed);
    const startS = idStartS(chunk, machine.bornAtS, now.atS);
    return liveRecord(fixed, state, {
      id: idOf(chunk.slot, startS),
      type: now.query.type,
      atS: now.atS,
      rentable: now.rentable,
      baseUsdPerHour: chunkBaseUsdPerHour(state.price, chunk),
      startS: isUnknown(chance, machine.key, 'start_date') ? null : startS,
      storageGb: now.query.storageGb,
    });
  }

  return {
    recordedAt: [],
    book(query, at) {
      const tick = Math.floor(at.getTime() / 1000 / tickS);
      const key = `${tick} ${query.type} ${query.storageGb} ${query.rentableOnly}`;
      const table =
        tables.get(key) ??
        createOfferTable(recordsAt(query, tick * tickS), {
          standing: ({ id, score }) =>
            chance(p.standing, id, tick) < shareSetAside ? score - setAside : score,
        });
      // The table just used moves to the end, so the first one is the least recently used.
      tables.delete(key);
      tables.set(key, table);
      const oldest = tables.keys().next().value;
      if (tables.size > keptTables && oldest !== undefined) tables.delete(oldest);
      return table;
    },
  };
}

function isHidden(chance: Chance, machine: Machine, chunk: Chunk, atS: number): boolean {
  const minutes = 7 + 18 * chance(p.flapLength, chunk.key);
  return chance(p.hidden, chunk.key, epochIndex(atS, minutes * 60, machine.phase)) < shareHidden;
}
