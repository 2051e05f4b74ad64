import { between, pickOne, purposeOf } from '../model/chance.ts';
import type { OfferSource } from '../offer-source.ts';
import type { OfferRow } from '../offer-table.ts';
import type { Account, AccountRules } from './account.ts';
import { consumedMicroUsd } from './charges.ts';
import { payment } from './payments.ts';
import type { RentRequest } from './rent-request.ts';

interface PastJob {
  label: string;
  gpuName: string;
  image: string;
  isBid: boolean;
  diskGb: number;
  /** Hours after the beginning of its week, Monday 00:00 UTC. */
  startHour: number;
  hours: readonly [shortest: number, longest: number];
}

const training = 'pytorch/pytorch:2.7.0-cuda12.8-cudnn9-runtime';
const jobs: readonly PastJob[] = [
  {
    label: 'fine-tuning',
    gpuName: 'A100 SXM4',
    image: training,
    isBid: false,
    diskGb: 120,
    startHour: 33,
    hours: [14, 26],
  },
  {
    label: 'image-batch',
    gpuName: 'RTX 4090',
    image: 'nvidia/cuda:12.8.0-runtime',
    isBid: false,
    diskGb: 40,
    startHour: 33,
    hours: [6, 20],
  },
  {
    label: 'embeddings',
    gpuName: 'RTX 3090',
    image: training,
    isBid: true,
    diskGb: 30,
    startHour: 80,
    hours: [20, 44],
  },
];

const p = { offer: purposeOf('past offer'), hours: purposeOf('past hours') };
const hourS = 3600;
const weekS = 7 * 24 * hourS;
/** The first Monday of 1970. */
const firstMondayS = 4 * 24 * hourS;
/** More than the 45 days whose bills are read again: what leaves the window never seems to disappear. */
const pastWeeks = 8;
const paidAtHour = 9;
const topUpMicroUsd = 25_000_000;
/** Below the ids of what is rented later; the same week has the same ids in every process. */
const firstPastId = 4_000_000;
const idsPerWeek = 10;

/**
 * Adds what an account rented and paid in the whole weeks before a moment, eight at most, at the prices that the market
 * listed then. A week is a pure function of the seed, so that every later start finds the same one.
 */
export function addPastRentals(
  account: Account,
  { source, rules, untilS }: { source: OfferSource; rules: AccountRules; untilS: number },
): void {
  const { state, instances } = account;
  const thisWeek = Math.floor((untilS - firstMondayS) / weekS);
  const nextId = state.nextId;
  for (let week = thisWeek - pastWeeks; week < thisWeek; week += 1) {
    const weekStartS = firstMondayS + week * weekS;
    const takeId = (place: number) => {
      state.nextId = firstPastId + week * idsPerWeek + place;
    };
    const before = consumedMicroUsd(state, rules, untilS);
    for (const [place, job] of jobs.entries()) {
      const atS = weekStartS + job.startHour * hourS;
      const hours = between(...job.hours, rules.chance(p.hours, week, place));
      const endS = atS + Math.round(hours * hourS);
      const offer = pastOffer(source, job, { atS, endS, chance: rules.chance(p.offer, week, place) });
      if (offer === null) continue;
      takeId(place);
      const { id } = instances.rent(offer, requestOf(job, offer), atS);
      instances.destroy(instances.get(String(id), endS), endS);
    }
    const spent = consumedMicroUsd(state, rules, untilS) - before;
    takeId(idsPerWeek - 1);
    account.addInvoice(
      payment({
        atS: weekStartS + paidAtHour * hourS,
        // Always more than the week costs: some credit is left to try renting with.
        microUsd: -(Math.ceil(spent / topUpMicroUsd) + 1) * topUpMicroUsd,
        description: 'Top-up by card',
      }),
    );
  }
  state.nextId = nextId;
}

/** One of the cheaper offers of a model, sometimes above the median; null: none was listed. */
function pastOffer(
  source: OfferSource,
  { gpuName, isBid, diskGb }: PastJob,
  { atS, endS, chance }: { atS: number; endS: number; chance: number },
): OfferRow | null {
  const book = { type: isBid ? 'bid' : 'on-demand', storageGb: 8, rentableOnly: true } as const;
  const fitting = source
    .book(book, new Date(atS * 1000))
    .rows.filter(
      (row) =>
        row.gpu_name === gpuName &&
        row.num_gpus === 1 &&
        row.rentable === true &&
        row.vms_enabled !== true &&
        Number(row.disk_space) >= diskGb &&
        Number(row.end_date ?? endS) >= endS,
    )
    .toSorted((a, b) => Number(a.dph_base) - Number(b.dph_base));
  const cheaper = fitting.slice(0, Math.ceil(fitting.length * 0.7));
  return cheaper.length === 0 ? null : pickOne(cheaper, chance);
}

/** A bid somewhat above the minimum is outbid now and then. */
function requestOf({ label, image, diskGb, isBid }: PastJob, offer: OfferRow): RentRequest {
  return {
    image,
    diskGb,
    label,
    bidUsdPerHour: isBid ? (Number(offer.min_bid) * 1.5).toFixed(3) : null,
    runtype: 'ssh',
    onstart: null,
    argsStr: null,
    env: {},
    extraFilters: {},
    startsStopped: false,
    template: null,
    volume: null,
  };
}
