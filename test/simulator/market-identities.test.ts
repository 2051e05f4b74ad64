import { describe, expect, it } from 'vitest';
import { createMarket, hoursLater, measuredAt, type Offer, wholeBook } from './simulated-books.ts';

interface Costs {
  [name: string]: number;
}

/** Every exact identity, as [what it says, left, right]. */
function identities(offer: Offer, storageGb: number): [string, unknown, unknown][] {
  const o = offer as Offer & Record<string, number> & { search: Costs; instance: Costs };
  const code = { verified: o.vericode === 1, unverified: o.vericode === 0 }[o.verification];
  return [
    ['dph_total', o.dph_total, o.dph_base + Number(o.storage_total_cost)],
    ['storage_total_cost', o.storage_total_cost, (Number(o.storage_cost) * storageGb) / 720],
    ['dph_total_adj', o.dph_total_adj, o.dph_total + (Number(o.inet_down_cost) * storageGb) / 4],
    ['search.totalHour', o.search.totalHour, o.dph_total],
    ['search.gpuCostPerHour', o.search.gpuCostPerHour, o.dph_base],
    ['search.diskHour', o.search.diskHour, o.storage_total_cost],
    ['discounted_dph_total', o.discounted_dph_total, o.dph_total - Number(o.discounted_hourly)],
    ['dlperf_per_dphtotal', o.dlperf_per_dphtotal, o.dlperf === null ? null : Number(o.dlperf) / o.dph_total],
    ['flops_per_dphtotal', o.flops_per_dphtotal, Number(o.total_flops) / o.dph_total],
    ['internet_down_cost_per_tb', o.internet_down_cost_per_tb, Number(o.inet_down_cost) * 1024],
    ['internet_up_cost_per_tb', o.internet_up_cost_per_tb, Number(o.inet_up_cost) * 1024],
    ['gpu_total_ram', o.gpu_total_ram, Number(o.gpu_ram) * o.num_gpus],
    ['len(gpu_ids)', o.gpu_ids.length, o.num_gpus],
    ['ask_contract_id', o.ask_contract_id, o.id],
    ['reliability2', o.reliability2, o.reliability],
    ['vericode', code ?? (o.vericode !== 0 && o.vericode !== 1), true],
  ];
}

function isSame(left: unknown, right: unknown): boolean {
  if (typeof left !== 'number' || typeof right !== 'number') return left === right;
  return Math.abs(left - right) <= 1e-9 * Math.max(1e-9, Math.abs(left), Math.abs(right));
}

function broken(offers: readonly Offer[], storageGb: number): string[] {
  return offers.flatMap((offer) =>
    identities(offer, storageGb)
      .filter(([, left, right]) => !isSame(left, right))
      .map(([name, left, right]) => `${offer.id} ${name}: ${String(left)} is not ${String(right)}`),
  );
}

describe('the exact identities of the marketplace', () => {
  const market = createMarket(5);

  it.each([
    ['on-demand', 8, 0],
    ['on-demand', 0, 31],
    ['on-demand', 137.5, -9000],
    ['bid', 8, 500],
    ['bid', 2000, 3],
    ['reserved', 5, 77],
  ])('hold for every %s offer with %d GB, %d hours later', (type, storageGb, hours) => {
    const offers = wholeBook(market, hoursLater(hours), { type, allocated_storage: storageGb });
    expect(offers.length).toBeGreaterThan(500);
    expect(broken(offers, storageGb)).toEqual([]);
  });

  it('a part of a machine has that part of its memory, in whole megabytes', () => {
    const offers = wholeBook(market, hoursLater(0), { type: 'on-demand', allocated_storage: 8 });
    const ram = new Map<unknown, number>();
    let parts = 0;
    for (const { machine_id, gpu_frac, cpu_ram } of offers) {
      const whole = Number(cpu_ram) / Number(gpu_frac);
      const known = ram.get(machine_id) ?? whole;
      // A share is cut to a whole megabyte, the smallest is of 16 GPUs.
      expect(Math.abs(known - whole)).toBeLessThanOrEqual(16);
      if (known !== whole) parts += 1;
      ram.set(machine_id, whole);
    }
    expect(parts).toBeGreaterThan(20);
  });

  it('are checked: a record with a changed figure is detected', () => {
    const [offer] = wholeBook(market, measuredAt);
    if (offer === undefined) throw new Error('the book is empty');
    expect(broken([{ ...offer, dph_total: offer.dph_total * 1.000001 }], 8)).not.toEqual([]);
  });

  it('hold for each storage size at one moment, with the same ids and base prices', () => {
    const basics = [8, 500].map((storageGb) => {
      const offers = wholeBook(market, measuredAt, { allocated_storage: storageGb });
      expect(broken(offers, storageGb)).toEqual([]);
      return offers.map(({ id, dph_base }) => [id, dph_base]);
    });
    expect(basics[1]).toEqual(basics[0]);
  });
});

describe('a bid', () => {
  const market = createMarket(5);
  const onDemand = new Map(wholeBook(market, measuredAt).map((offer) => [offer.id, offer]));
  const bids = wholeBook(market, measuredAt, { type: 'bid' });

  it('has an on-demand offer of the same id, machine and size', () => {
    expect(bids.length).toBe(onDemand.size);
    for (const bid of bids) {
      expect(onDemand.get(bid.id)).toMatchObject({ machine_id: bid.machine_id, num_gpus: bid.num_gpus });
    }
  });

  it('costs max(min_bid, 0.01), never more than on demand, and 0.71 of it in the median', () => {
    const ratios = bids.map((bid) => {
      expect(bid.dph_base).toBe(Math.max(bid.min_bid, 0.01));
      return bid.dph_base / (onDemand.get(bid.id)?.dph_base ?? Number.NaN);
    });
    ratios.sort((a, b) => a - b);
    expect(ratios.at(-1)).toBeLessThanOrEqual(1);
    expect(ratios[Math.floor(ratios.length / 2)]).toBeGreaterThan(0.67);
    expect(ratios[Math.floor(ratios.length / 2)]).toBeLessThan(0.75);
  });
});
