import { createDayObservations, type DayObservations } from './day-observations.ts';

const maxEntryBytes = 4 * 8 + 8;
const perByte = 128;

/**
 * A day's observations as bytes that depend on nothing but what they say: counts, then an entry a listing. Whole numbers
 * take seven bits a byte, lowest first; machines as steps from the one before.
 */
export function packObservations(day: DayObservations): Buffer {
  const length = day.machineIds.length;
  const bytes = Buffer.allocUnsafe(2 * 8 + length * maxEntryBytes);
  let at = 0;
  const put = (value: number): void => {
    let rest = value;
    for (; rest >= perByte; rest = Math.floor(rest / perByte)) {
      bytes[at] = (rest % perByte) + perByte;
      at += 1;
    }
    bytes[at] = rest;
    at += 1;
  };
  put(length);
  put(day.pricesLeftOut);
  let machineId = 0;
  for (let entry = 0; entry < length; entry += 1) {
    put((day.machineIds[entry] as number) - machineId);
    machineId = day.machineIds[entry] as number;
    put(day.numGpus[entry] as number);
    put(2 * (day.ordinals[entry] as number) + (day.differs[entry] as number));
    put((day.hostIds[entry] as number) + 1);
    bytes.writeDoubleLE(day.logPrices[entry] as number, at);
    at += 8;
  }
  return Buffer.from(bytes.subarray(0, at));
}

/** What `packObservations` made. */
export function unpackObservations(bytes: Buffer): DayObservations {
  let at = 0;
  const take = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= perByte) {
      const byte = bytes[at];
      if (byte === undefined)
        throw new Error('a stored day of the index is damaged: run `offerbook rebuild`');
      at += 1;
      if (byte < perByte) return value + byte * scale;
      value += (byte - perByte) * scale;
    }
  };
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
    day.logPrices[entry] = bytes.readDoubleLE(at);
    at += 8;
  }
  return day;
}
