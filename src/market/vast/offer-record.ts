import { z } from 'zod';
import type { Offer, PricingType } from '../../core/offer.ts';
import { verificationTiers } from '../../core/offer-fields.ts';
import type { OfferReading } from '../offer-reading.ts';
import { copyRecord } from '../wire/record-copy.ts';

// Limits are far above every recorded value; they keep one absurd row from failing a whole book in the database.
const id = z.int().min(0);
const size = z.int().min(0).max(2_147_483_647);
const price = z.number().min(0).max(1e9);
const measure = z.number().min(-1e15).max(1e15);
const text = z.string().max(200);

const secondsPerHour = 3600;

/** The fields used, out of 96; the others are kept only in `raw`. Measured: 7 to 12 µs per record. */
export const recordSchema = z.object({
  id,
  machine_id: id,
  gpu_name: text.min(1),
  num_gpus: z.int().min(1).max(32_767),
  dph_base: price,
  dph_total: price,
  storage_cost: price.nullish(),
  inet_down_cost: price.nullish(),
  inet_up_cost: price.nullish(),
  min_bid: price.nullish(),
  discounted_hourly: price.nullish(),
  discount_rate: measure.nullish(),
  host_id: id.nullish(),
  dlperf: measure.nullish(),
  reliability2: measure.nullish(),
  reliability: measure.nullish(),
  gpu_ram: size.nullish(),
  total_flops: measure.nullish(),
  geolocation: z.string().nullish(),
  verification: z.string().nullish(),
  cuda_max_good: measure.nullish(),
  driver_version: text.nullish(),
  inet_down: measure.nullish(),
  inet_up: measure.nullish(),
  hosting_type: measure.nullish(),
  static_ip: z.boolean().nullish(),
  disk_space: measure.nullish(),
  cpu_cores: size.nullish(),
  cpu_ram: size.nullish(),
  // Only shown: never a reason to reject the record.
  cpu_cores_effective: measure.nullish().catch(null),
  cpu_name: text.nullish().catch(null),
  duration: measure.nullish().catch(null),
  gpu_ids: z.array(id).nullish(),
});

/**
 * Reads one record of a search response or a recorded book as an offer of `type`.
 *
 * A missing required field, a wrong type (including a number written as text), a negative price or an out-of-range
 * value rejects the record, with a reason made only of the field's name and fixed words. These become null instead: an
 * unknown `verification`, a `geolocation` without a country at its end, a reliability outside 0 to 1, a negative
 * measure such as dlperf, an empty `gpu_ids`; `raw` shows what was delivered. Source: docs/marketplace.md#21-offer.
 */
export function readOfferRecord(record: unknown, type: PricingType): OfferReading {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) {
    return reject('record: not an object', null, 0);
  }
  const copy = copyRecord(record);
  if (copy === null) return reject('record: nested too deeply', idOf(record), 0);
  const { value, raw, replaced } = copy;
  const parsed = recordSchema.safeParse(value, { error: explain });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return reject(`${String(issue?.path[0] ?? 'record')}: ${issue?.message}`, idOf(record), replaced);
  }
  if (parsed.data.gpu_name.trim() === '') return reject('gpu_name: empty', idOf(record), replaced);
  return { ok: true, offer: toOffer(parsed.data, type, raw), replacedCharacters: replaced };
}

/** Returns the `id` of a record if readable, else null; paging uses it, even of rejected rows. */
export function idOf(record: unknown): number | null {
  if (typeof record !== 'object' || record === null || !('id' in record)) return null;
  return typeof record.id === 'number' && Number.isSafeInteger(record.id) ? record.id + 0 : null;
}

function toOffer(row: z.infer<typeof recordSchema>, type: PricingType, raw: string): Offer {
  const reliability = amount(row.reliability2 ?? row.reliability);
  return {
    offerId: plain(row.id),
    machineId: plain(row.machine_id),
    hostId: amount(row.host_id),
    gpuName: row.gpu_name,
    numGpus: row.num_gpus,
    type,
    baseUsdPerHour: plain(row.dph_base),
    listedUsdPerHour: plain(row.dph_total),
    storageUsdPerGbMonth: amount(row.storage_cost),
    inetDownUsdPerGb: amount(row.inet_down_cost),
    inetUpUsdPerGb: amount(row.inet_up_cost),
    minBidUsdPerHour: amount(row.min_bid),
    discountedUsdPerHour: amount(row.discounted_hourly),
    discountRate: amount(row.discount_rate),
    dlperf: amount(row.dlperf),
    reliability: reliability !== null && reliability <= 1 ? reliability : null,
    gpuRamMb: amount(row.gpu_ram),
    totalTflops: amount(row.total_flops),
    country: countryOf(row.geolocation),
    verification: verificationTiers.find((tier) => tier === row.verification) ?? null,
    cudaMaxGood: amount(row.cuda_max_good),
    driverVersion: row.driver_version ?? null,
    inetDown: amount(row.inet_down),
    inetUp: amount(row.inet_up),
    datacenter: row.hosting_type == null ? null : row.hosting_type > 0,
    staticIp: row.static_ip ?? null,
    diskSpaceGb: amount(row.disk_space),
    cpuCores: amount(row.cpu_cores),
    cpuCoresEffective: amount(row.cpu_cores_effective),
    cpuRamMb: amount(row.cpu_ram),
    cpuName: row.cpu_name?.trim() || null,
    maxDurationHours: amount(row.duration == null ? null : row.duration / secondsPerHour),
    gpuIds: row.gpu_ids != null && row.gpu_ids.length > 0 ? row.gpu_ids : null,
    raw,
  };
}

// Adding 0 turns −0 into 0, so that equal prices have equal bytes everywhere.
const plain = (value: number): number => value + 0;

const amount = (value: number | null | undefined): number | null =>
  value == null || value < 0 ? null : plain(value);

function countryOf(geolocation: string | null | undefined): string | null {
  return /(?:^|,)\s*([a-z]{2})\s*$/i.exec(geolocation ?? '')?.[1]?.toUpperCase() ?? null;
}

const reject = (reason: string, offerId: number | null, replacedCharacters: number): OfferReading => ({
  ok: false,
  rejected: { reason, offerId },
  replacedCharacters,
});

const expectedWords: Record<string, string> = {
  number: 'a number',
  int: 'a whole number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
};

const explain: z.core.$ZodErrorMap = (issue) => {
  const { input } = issue;
  if (input === undefined || input === null) return 'missing';
  if (issue.code === 'too_small') {
    if (typeof input === 'string') return 'empty';
    return issue.minimum === 1 ? 'below 1' : 'negative';
  }
  if (issue.code === 'too_big') return typeof input === 'string' ? 'too long' : 'too large';
  if (typeof input === 'number' && !Number.isFinite(input)) return 'not finite';
  return `not ${expectedWords[String(issue.code === 'invalid_type' ? issue.expected : '')] ?? 'readable'}`;
};
