import type { PricingType } from '../../core/offer.ts';
import type { MachineState } from './machine-state.ts';
import type { HourlyCosts, OfferRecord } from './offer-record.ts';

/** The fields of an offer at one moment that its chunk and machine do not fix. */
export interface LiveOffer {
  id: number;
  type: PricingType;
  atS: number;
  rentable: boolean;
  /** $/hour of the whole offer, on demand. */
  baseUsdPerHour: number;
  startS: number | null;
  storageGb: number;
}

const lowestBidUsd = 0.01;

/**
 * Returns the record of an offer at one moment, with all exact identities of the marketplace. Bid: `min_bid` is never
 * above the on-demand price, and `dph_base` is `max(min_bid, 0.01)`. Reserved: `credit_discount_max` is deducted.
 */
export function liveRecord(fixed: OfferRecord, state: MachineState, offer: LiveOffer): OfferRecord {
  const { type, id, baseUsdPerHour } = offer;
  const bid = type === 'bid';
  const rawMinBid = baseUsdPerHour * state.price.bidRatio;
  const minBid = bid ? Math.min(rawMinBid, baseUsdPerHour) : rawMinBid;
  const base = bid ? Math.max(minBid, lowestBidUsd) : baseUsdPerHour;
  const storage = (fixed.storage_cost * offer.storageGb) / 720;
  const total = base + storage;
  const discountRate = type === 'reserved' ? fixed.credit_discount_max : fixed.discount_rate;
  const discount = type === 'reserved' ? base * fixed.credit_discount_max : 0;
  const perDollar = fixed.dlperf === null ? null : fixed.dlperf / total;
  const reliabilityMult = Math.max(0, 1 - 6 * (1 - state.reliability) + 5 * (1 - state.reliability) ** 2);
  return {
    ...fixed,
    ask_contract_id: id,
    avail_vol_ask_id: id + 1,
    cuda_max_good: state.cudaMaxGood,
    discount_rate: discountRate,
    discounted_dph_total: total - discount,
    discounted_hourly: discount,
    dlperf_per_dphtotal: perDollar,
    dph_base: base,
    dph_total: total,
    dph_total_adj: total + (fixed.inet_down_cost * offer.storageGb) / 4,
    driver_vers: state.driverVers,
    driver_version: state.driverVersion,
    duration: state.endS - offer.atS,
    end_date: state.endS,
    flops_per_dphtotal: fixed.total_flops / total,
    gpu_max_temp: state.gpuMaxTemp,
    id,
    inet_down: state.inetDown,
    inet_up: state.inetUp,
    instance: hourlyCosts(0, storage, 0),
    is_bid: bid,
    min_bid: minBid,
    reliability: state.reliability,
    reliability2: state.reliability,
    reliability_mult: reliabilityMult,
    rentable: offer.rentable,
    score: (perDollar ?? 0) * (0.5 + reliabilityMult / 2),
    search: hourlyCosts(base, storage, discount),
    start_date: offer.startS,
    storage_total_cost: storage,
    vericode: state.vericode,
    verification: state.verification,
    vram_costperhour: base / (fixed.gpu_total_ram / 1024),
  };
}

function hourlyCosts(gpu: number, disk: number, discount: number): HourlyCosts {
  const total = gpu + disk;
  return {
    discountTotalHour: discount,
    discountedTotalPerHour: total - discount,
    diskHour: disk,
    gpuCostPerHour: gpu,
    totalHour: total,
  };
}
