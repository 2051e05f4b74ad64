import { describe, expect, it } from 'vitest';
import { filterFields } from '../../src/simulator/search-fields.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { allTiers, createMarket, measuredAt, offersOf, shareOf, wholeBook } from './simulated-books.ts';

const market = createMarket(6);
const search = (body: unknown) => market.search(body, measuredAt);
const many = (body: object) => offersOf(market, { limit: 100_000, ...body }, measuredAt);
const book = wholeBook(market, measuredAt);

/** The rules of a search, and the names that are only public. Source: docs/marketplace.md#42-search-offers. */
const documentedFilters =
  `verified rentable rented gpu_name reliability num_gpus gpu_ram duration machine_id host_id
  dlperf dlperf_per_dphtotal dph_total flops_per_dphtotal geolocation gpu_arch cuda_max_good inet_down inet_up
  inet_down_cost inet_up_cost driver_version compute_cap cpu_arch has_avx cpu_cores cpu_cores_effective cpu_ghz
  cpu_ram external disk_bw disk_space bw_nvlink gpu_max_power gpu_max_temp gpu_mem_bw gpu_total_ram gpu_frac
  gpu_display_active direct_port_count id min_bid mobo_name pci_gen pcie_bw storage_cost static_ip total_flops
  os_version verification vms_enabled datacenter ubuntu_version`.split(/\s+/);

describe('the defaults of omitted filters', () => {
  it('are verified, rentable, 64 rows, on demand', () => {
    const offers = offersOf(market, {}, measuredAt);
    expect(offers.length).toBe(64);
    for (const offer of offers) {
      expect(offer).toMatchObject({ verification: 'verified', rentable: true, rented: false, is_bid: false });
    }
  });

  it('are replaced by explicit values, and requesting tiers also drops verified', () => {
    expect(many({}).length).toBe(book.filter((offer) => offer.verification === 'verified').length);
    expect(many({ verified: { eq: false } }).every((offer) => offer.verification !== 'verified')).toBe(true);
    expect(many({ verified: { in: [true, false] } }).length).toBe(book.length);
    expect(many(allTiers).length).toBe(book.length);
    expect(many({ ...allTiers, verified: { eq: 'true' } }).length).toBe(many({}).length);
    expect(many({ ...allTiers, rented: { eq: true } })).toEqual([]);
  });
});

describe('every documented filter', () => {
  it('is known, and no others', () => {
    expect([...filterFields].sort()).toEqual([...documentedFilters].sort());
  });

  it.each(documentedFilters)(
    '%s splits the book into rows that equal a value and rows that do not',
    (field) => {
      const source =
        { verified: 'verification', datacenter: 'hosting_type', ubuntu_version: 'os_version' }[field] ??
        field;
      const values = new Set(book.map((offer) => offer[source]));
      expect(values.has(undefined)).toBe(false);
      if (field === 'external' || field === 'datacenter') return;
      const [value = null] = [...values].filter((one) => one !== null);
      const operand = field === 'verified' ? true : value;
      const body = { ...allTiers, rentable: { in: [true, false] } };
      const all = many(body);
      const equal = many({ ...body, [field]: { eq: operand } });
      const different = many({ ...body, [field]: { neq: operand } });
      const unknown = many({ ...body, [field]: { eq: null } });
      if (field !== 'verification' && field !== 'rentable') {
        expect(equal.length + different.length + unknown.length).toBe(all.length);
      }
      expect(equal.length).toBeGreaterThan(0);
      if (field !== 'geolocation' && field !== 'verified') {
        expect(equal.every((offer) => offer[source] === value)).toBe(true);
      }
    },
  );
});

describe('switches', () => {
  it('datacenter on keeps hosting types above 0, off keeps everything', () => {
    const inside = many({ ...allTiers, datacenter: { eq: true } });
    expect(inside.length).toBe(book.filter((offer) => Number(offer.hosting_type) > 0).length);
    expect(shareOf(book, (offer) => Number(offer.hosting_type) > 0)).toBeGreaterThan(0.05);
    expect(many({ ...allTiers, datacenter: { eq: false } }).length).toBe(book.length);
  });

  it('external off keeps offers whose external is null, and those only beside false ones', () => {
    expect(many({ ...allTiers, external: { eq: false } }).length).toBe(book.length);
    const records = [null, true, false].map((external, index) => ({ id: index + 1, external }));
    const replay = [
      { observedAt: measuredAt, type: 'on-demand' as const, format: 'lines' as const, records },
    ];
    const ids = (body: object) => offersOf(createSimulator({ replay }), body, measuredAt).map(({ id }) => id);
    expect(ids({})).toEqual([1, 3]);
    expect(ids({ external: { eq: true } })).toEqual([1, 2, 3]);
  });
});

describe('values', () => {
  it('may be numeric strings, and several operators of a filter must all match', () => {
    expect(many({ ...allTiers, num_gpus: { gte: '2', lt: '8' } }).length).toBe(
      book.filter((offer) => offer.num_gpus >= 2 && offer.num_gpus < 8).length,
    );
  });

  it('of a driver compare part by part, of a place by country', () => {
    const newer = many({ ...allTiers, driver_version: { gte: '580.126.00' } });
    expect(newer.some((offer) => offer.driver_version === '580.142')).toBe(true);
    expect(newer.some((offer) => offer.driver_version === '580.95.05')).toBe(false);
    const american = many({ ...allTiers, geolocation: { in: ['US', 'CA'] } });
    expect(american.length).toBe(book.filter((offer) => /, (US|CA)$/.test(String(offer.geolocation))).length);
    expect(american.some((offer) => offer.geolocation === ', US')).toBe(true);
  });

  it.each(['on-demand', 'ondemand', undefined])('type %s means on demand', (type) => {
    expect(
      many({ ...allTiers, type })
        .map(({ id }) => id)
        .sort(),
    ).toEqual(book.map(({ id }) => id).sort());
  });
});

describe('an invalid search', () => {
  it.each<[string, unknown]>([
    ['an unknown filter', { gpu: { eq: 'RTX 4090' } }],
    ['a field that is no filter', { score: { gt: 1 } }],
    ['a name that every object has', { toString: { eq: 1 } }],
    ['an unknown operator', { num_gpus: { ge: 1 } }],
    ['an operator that every object has', { num_gpus: { constructor: 1 } }],
    ['a bare value', { num_gpus: 1 }],
    ['no operator', { num_gpus: {} }],
    ['a word for a number', { num_gpus: { eq: 'two' } }],
    ['a list for one value', { num_gpus: { eq: [1] } }],
    ['one value for a list', { num_gpus: { in: 1 } }],
    ['more than unknown', { num_gpus: { gt: null } }],
    ['a comparison with a switch', { datacenter: { gt: true } }],
    ['a limit of 0', { limit: 0 }],
    ['half a limit', { limit: 1.5 }],
    ['an unknown type', { type: 'spot' }],
    ['a type that every object has', { type: 'valueOf' }],
    ['an order that is no list', { order: 'id' }],
    ['an order by an unknown field', { order: [['nothing', 'asc']] }],
    ['an order in no direction', { order: [['id', 'up']] }],
    ['negative storage', { allocated_storage: -1 }],
    ['a list', []],
    ['null', null],
  ])('%s is refused as invalid_args with a reason', (_, body) => {
    const answer = search(body);
    expect(answer).toMatchObject({ status: 400, body: { success: false, error: 'invalid_args' } });
    expect((answer.body as { msg: string }).msg.length).toBeGreaterThan(5);
  });
});

describe('the row cap', () => {
  it('cuts every response silently', () => {
    const capped = createSimulator({ seed: 6, cap: 100 });
    const answer = capped.search({ ...allTiers, limit: 5000 }, measuredAt);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['offers']);
    expect(offersOf(capped, { ...allTiers, limit: 5000 }, measuredAt).length).toBe(100);
  });
});
