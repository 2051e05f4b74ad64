import { knownGpuName, plainGpuName } from '../../core/gpu-names.ts';
import type { Offer, PricingType } from '../../core/offer.ts';
import { unstatedFields } from '../../core/offer-fields.ts';
import { copyRecord } from '../wire/record-copy.ts';
import { amountOf, idFrom, textOf } from '../wire/record-fields.ts';
import { isRecord } from '../wire/record-rows.ts';
import { type DayPrice, onDemandPrice, spotPrice } from './server-price.ts';

/** Costs beside the price, which neither the market's API nor its documentation states. */
export interface ServerCosts {
  storageUsdPerGbMonth: number;
  inetDownUsdPerGb: number;
  inetUpUsdPerGb: number;
}

/** A server read for a book: an offer, rented or not; left out as unsuitable; or an unreadable row. */
export type ServerReading = { replacedCharacters: number } & (
  | { kind: 'offer'; offer: Offer; isRented: boolean }
  | { kind: 'leftOut'; offerId: number; reason: string; amounts?: Readonly<Record<string, number>> }
  | { kind: 'rejected'; offerId: number | null; reason: string }
);

const hoursPerDay = 24;
const megabytesPerGb = 1024;
const maxNameLength = 200;
const notOffered: DayPrice = { kind: 'none', reason: 'not offered so', isFault: false };
const priceOf: Partial<Record<PricingType, (price: unknown) => DayPrice>> = {
  'on-demand': onDemandPrice,
  bid: spotPrice,
};

/**
 * Reads one server as an offer of `type`, in dollars per hour. Leaves out and counts prices only in coins, doubtful
 * prices, mixed GPU models and partly rented machines. Rejects servers without an id, GPUs or a readable price. Any
 * other unreadable field is null; `raw` shows what was delivered. Source: docs/clore.md#servers.
 */
export function readServer(record: unknown, type: PricingType, costs: ServerCosts): ServerReading {
  const id = isRecord(record) ? idFrom(record.id) : null;
  const reject = (reason: string, replacedCharacters = 0): ServerReading => ({
    kind: 'rejected',
    offerId: id,
    reason,
    replacedCharacters,
  });
  if (!isRecord(record)) return reject('record: not an object');
  const copy = copyRecord(record);
  if (copy === null || !isRecord(copy.value)) return reject('record: nested too deeply');
  const { value: server, raw, replaced } = copy;
  if (id === null) return reject('id: missing or not a whole number', replaced);
  if (typeof server.rented !== 'boolean') return reject('rented: not a boolean', replaced);
  const gpus = gpuNames(server.gpu_array);
  if (gpus === null) return reject('gpu_array: not a list of names', replaced);
  const leaveOut = (reason: string, amounts?: Readonly<Record<string, number>>): ServerReading => ({
    kind: 'leftOut',
    offerId: id,
    reason,
    ...(amounts === undefined ? {} : { amounts }),
    replacedCharacters: replaced,
  });
  if (gpus.names.size > 1) return leaveOut('several GPU models in one machine');
  const [gpuName = ''] = gpus.names;
  if (isPartlyTaken(server.partial_gpu_rental)) return leaveOut('partly rented');
  const price = priceOf[type]?.(server.price) ?? notOffered;
  if (price.kind === 'doubtful') return leaveOut('prices that contradict each other', price.amounts);
  if (price.kind === 'none') return price.isFault ? reject(price.reason, replaced) : leaveOut(price.reason);
  const usdPerHour = price.usdPerDay / hoursPerDay;
  return {
    kind: 'offer',
    isRented: server.rented,
    replacedCharacters: replaced,
    offer: {
      ...unstatedFields,
      offerId: id,
      machineId: id,
      hostId: idFrom(server.owner),
      gpuName,
      numGpus: gpus.count,
      type,
      baseUsdPerHour: usdPerHour,
      listedUsdPerHour: usdPerHour,
      ...costs,
      minBidUsdPerHour: type === 'bid' ? usdPerHour : null,
      reliability: shareOf(server.reliability),
      cudaMaxGood: numberIn(server.cuda_version),
      maxDurationHours: amountOf(server.mrl),
      ...specsOf(server.specs),
      raw,
    },
  };
}

/** Returns the distinct models and the number of GPUs; null: not a list of names. */
function gpuNames(value: unknown): { names: ReadonlySet<string>; count: number } | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > 32_767) return null;
  const names = new Set<string>();
  for (const item of value) {
    const plain = typeof item === 'string' ? plainGpuName(item) : '';
    if (plain === '' || plain.length > 200) return null;
    names.add(knownGpuName(plain) ?? plain);
  }
  return { names, count: value.length };
}

/** Whether only some of a machine's GPUs are rented; the price of the rest is not documented. */
function isPartlyTaken(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const [total, available] = [amountOf(value.total_gpus), amountOf(value.available_gpus)];
  return total !== null && available !== null && available > 0 && available < total;
}

type Specs = Pick<
  Offer,
  'gpuRamMb' | 'country' | 'inetDown' | 'inetUp' | 'diskSpaceGb' | 'cpuCores' | 'cpuRamMb' | 'cpuName'
>;

function specsOf(value: unknown): Specs {
  const specs = isRecord(value) ? value : {};
  const net = isRecord(specs.net) ? specs.net : {};
  const country = textOf(net.cc);
  return {
    gpuRamMb: wholeMegabytes(specs.gpuram),
    country: country !== null && /^[a-z]{2}$/i.test(country) ? country.toUpperCase() : null,
    inetDown: amountOf(net.down),
    inetUp: amountOf(net.up),
    diskSpaceGb: numberIn(specs.disk),
    cpuCores: threadsIn(specs.cpus),
    cpuRamMb: wholeMegabytes(specs.ram),
    cpuName: textOf(specs.cpu)?.slice(0, maxNameLength) ?? null,
  };
}

function wholeMegabytes(gigabytes: unknown): number | null {
  const amount = amountOf(gigabytes);
  return amount === null || amount === 0 || amount > 1e6 ? null : Math.round(amount * megabytesPerGb);
}

/** Returns the first number of a text such as `SSD 500.0GB` or `12.4`; numbers stay; else null. */
function numberIn(value: unknown): number | null {
  if (typeof value === 'number') return amountOf(value);
  const text = typeof value === 'string' ? /\d+(?:\.\d+)?/.exec(value)?.[0] : undefined;
  return text === undefined ? null : amountOf(Number(text));
}

/** `16/24` are cores and threads; threads match the other market. */
function threadsIn(value: unknown): number | null {
  const threads = typeof value === 'string' ? /^\s*\d+\s*\/\s*(\d{1,5})\s*$/.exec(value)?.[1] : undefined;
  return threads === undefined ? null : Number(threads);
}

function shareOf(value: unknown): number | null {
  const share = amountOf(value);
  return share === null || share > 1 ? null : share;
}
