import { describe, expect, it } from 'vitest';
import { filterOperators, type MarketFilters } from '../../src/core/market-filter.ts';
import { defaultDialect, parseDialect } from '../../src/market/vast/dialect.ts';
import { offerFieldsOf, templateFields } from '../../src/market/vast/filter-fields.ts';
import { findFilterProblems } from '../../src/market/vast/filter-rules.ts';
import { anyQuery } from './test-client.ts';
import { sentBy, startMarket } from './wire.ts';

const fields = offerFieldsOf(defaultDialect);
const problems = (filters: object) => findFilterProblems(filters as MarketFilters, fields);

describe('filters', () => {
  it('accept every operator of the specification with values that fit', () => {
    for (const operator of filterOperators) {
      const isList = operator === 'in' || operator === 'notin';
      expect(problems({ num_gpus: { [operator]: isList ? [1, '2'] : 1 } })).toEqual([]);
      expect(problems({ gpu_name: { [operator]: isList ? ['RTX 4090'] : 'RTX 4090' } })).toEqual([]);
    }
    expect(
      problems({ static_ip: { eq: true }, datacenter: { neq: false }, ubuntu_version: { gte: '22.04' } }),
    ).toEqual([]);
  });

  it('accept exactly the fields of offer and template searches and those that the dialect adds', () => {
    const offerFields = `verified rentable rented gpu_name reliability num_gpus gpu_ram duration machine_id host_id
      dlperf dlperf_per_dphtotal dph_total flops_per_dphtotal geolocation gpu_arch cuda_max_good inet_down inet_up
      inet_down_cost inet_up_cost driver_version compute_cap cpu_arch has_avx cpu_cores cpu_cores_effective cpu_ghz
      cpu_ram external disk_bw disk_space bw_nvlink gpu_max_power gpu_max_temp gpu_mem_bw gpu_total_ram gpu_frac
      gpu_display_active direct_port_count id min_bid mobo_name pci_gen pcie_bw storage_cost static_ip total_flops
      os_version verification vms_enabled datacenter ubuntu_version`;
    expect(Object.keys(fields).sort()).toEqual(offerFields.split(/\s+/).sort());
    const searchable = `creator_id created_at count_created default_tag docker_login_repo id image jup_direct hash_id
      name recent_create_date recommended_disk_space recommended ssh_direct tag use_ssh`;
    expect(Object.keys(templateFields).sort()).toEqual(searchable.split(/\s+/).sort());
  });

  it.each<[object, RegExp]>([
    [{ gpuName: { eq: 'x' } }, /^filter gpuName: no such field; did you mean gpu_name\?$/],
    [{ disk: { gte: 1 } }, /did you mean disk_(bw|space)\?/],
    [{ zzz: { eq: 1 } }, /^filter zzz: no such field$/],
    [{ num_gpus: { is: 1 } }, /no operator "is"; there are eq, neq/],
    [{ num_gpus: 2 }, /write an operator and its value, as in \{"eq": 2\}/],
    [{ num_gpus: {} }, /exactly one of eq/],
    [{ num_gpus: { gte: 1, lte: 2 } }, /exactly one of eq/],
    [{ num_gpus: { eq: 'many' } }, /eq needs a number, not "many"/],
    [{ num_gpus: { eq: null } }, /eq needs a number, not null/],
    [{ num_gpus: { in: [] } }, /in needs a list of at least one value/],
    [{ num_gpus: { in: 2 } }, /in needs a list/],
    [{ num_gpus: { notin: [1, 'x'] } }, /notin needs a list of numbers/],
    [{ static_ip: { eq: 'yes' } }, /eq needs a true or false value/],
    [{ static_ip: { gte: true } }, /gte cannot compare true and false/],
    [{ gpu_name: { eq: '' } }, /eq needs a text/],
    [{ __proto__x: { eq: 1 }, constructor: { eq: 1 } }, /no such field/],
  ])('are refused with a sentence that says what to do: %j', (filters, text) => {
    expect(problems(filters)[0]).toMatch(text);
  });

  it('accept the fields that the dialect adds', () => {
    const dialect = parseDialect(
      '{"search":{"extraFilterFields":{"sla_uptime":"number"},"datacenterParameter":"dc"}}',
      'd',
    );
    const added = offerFieldsOf(dialect);
    expect(findFilterProblems({ sla_uptime: { gte: 0.9 }, dc: { eq: true } }, added)).toEqual([]);
    expect(findFilterProblems({ datacenter: { eq: true } }, added)).toHaveLength(1);
  });
});

describe('an offer search', () => {
  it('sends extra filters, and those for an offer, a machine and datacenters', async () => {
    const query = {
      ...anyQuery,
      offerId: 5,
      machineId: 6,
      datacenter: true,
      filters: { pci_gen: { gte: 4 } },
    };
    const sent = await sentBy((client) => client.searchOffers(query), { offers: [] });
    expect(sent.body).toMatchObject({
      ...{ id: { eq: 5 }, machine_id: { eq: 6 }, datacenter: { eq: true }, pci_gen: { gte: 4 } },
    });
  });

  it('is refused for invalid filters, a limit below 1 and contradictory ids', async () => {
    const { client, sent } = await startMarket([{ offers: [] }]);
    const search = (changes: object) => client.searchOffers({ ...anyQuery, ...changes });
    await expect(search({ filters: { gpuram: { gte: 1 } } })).rejects.toThrow(/did you mean gpu_ram/);
    await expect(search({ limit: 0 })).rejects.toThrow(/limit 0 is not a whole number of at least 1/);
    await expect(search({ offerId: 1, afterId: 1 })).rejects.toThrow(RangeError);
    expect(sent()).toHaveLength(0);
  });
});
