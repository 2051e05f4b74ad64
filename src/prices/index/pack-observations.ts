import { createNumberReader, createNumberWriter } from './byte-numbers.ts';
import { createDayObservations, type DayObservations } from './day-observations.ts';

const maxEntryBytes = 4 * 8 + 8;

/**
 * Returns a day's observations as bytes that depend only on their content: counts, then an entry per listing, with
 * machine ids as differences from the previous one.
 */
export function packObservations(day: DayObservations): Buffer {
  const length = day.machineIds.length;
  const { put, putDouble, take } = createNumberWriter(2 * 8 + length * maxEntryBytes);
  put(length);
  put(day.pricesLeftOut);
  let machineId = 0;
  for (let entry = 0; entry < length; entry += 1) {
    put((day.machineIds[entry] as number) - machineId);
    machineId = day.machineIds[entry] as number;
    put(day.numGpus[entry] as number);
    put(2 * (day.ordinals[entry] as number) + (day.differs[entry] as number));
    put((day.hostIds[entry] as number) + 1);
    putDouble(day.logPrices[entry] as number);
  }
  return take();
}

/** Reads the result of `packObservations`. */
export function unpackObservations(bytes: Buffer): DayObservations {
  const { take, takeDouble } = createNumberReader(bytes);
  const day = createDayObservations(take());
  day.pricesLeftOut = take();
  let machineId = 0;
  for (let entry = 0; entry < day.machineIds.length; entry += 1) {
    machineId += take();
    day.machineIds[entry] = machineId;
    day.numGpus[entry] = take();
    const ordinal = take();
    day.ordinals[entry] = Math.floor(ordinal / 2);
    day.differs[entry] = ordinal % 2;
    day.hostIds[entry] = take() - 1;
    day.logPrices[entry] = takeDouble();
  }
  return day;
}
