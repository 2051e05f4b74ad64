import { beforeAll, describe, expect, it } from 'vitest';
import { findHalfBooks } from '../../prove/whole-books.ts';
import type { Sql } from '../../src/database/connection.ts';
import { storedBookPoints } from '../../src/prices/trends/stored-points.sql.ts';
import { fullOfferFiles, hasRecordedData } from '../support/recorded-data.ts';
import { importRecorded } from '../support/recorded-import.ts';
import { createTestDatabase } from '../support/test-database.ts';

/**
 * Identities between fields of a stored record, exact but for the last bits of a double.
 * Source: docs/marketplace.md#price-identities.
 */
const identities: Record<string, string> = {
  'dph_total = dph_base + storage_total_cost': `near(f.dph_total, f.dph_base + f.storage_total_cost)`,
  'storage_total_cost = storage_cost * 8 / 720': `near(f.storage_total_cost, f.storage_cost * 8 / 720)`,
  'dph_total_adj = dph_total + inet_down_cost * 8 / 4': `near(f.dph_total_adj, f.dph_total + f.inet_down_cost * 8 / 4)`,
  'search.totalHour = dph_total': `near((r->'search'->>'totalHour')::float8, f.dph_total)`,
  'search.gpuCostPerHour = dph_base': `near((r->'search'->>'gpuCostPerHour')::float8, f.dph_base)`,
  'discounted_dph_total = dph_total - discounted_hourly': `near(f.discounted_dph_total, f.dph_total - f.discounted_hourly)`,
  'dlperf_per_dphtotal = dlperf / dph_total': `near(f.dlperf_per_dphtotal, f.dlperf / f.dph_total)`,
  'flops_per_dphtotal = total_flops / dph_total': `near(f.flops_per_dphtotal, f.total_flops / f.dph_total)`,
  'internet_*_cost_per_tb = inet_*_cost * 1024': `near(f.internet_up_cost_per_tb, f.inet_up_cost * 1024)
    and near(f.internet_down_cost_per_tb, f.inet_down_cost * 1024)`,
  'gpu_total_ram = gpu_ram * num_gpus': `f.gpu_total_ram = f.gpu_ram * f.num_gpus`,
  'len(gpu_ids) = num_gpus': `jsonb_array_length(r->'gpu_ids') = f.num_gpus`,
  'id = ask_contract_id': `f.id = f.ask_contract_id`,
  'reliability = reliability2': `f.reliability = f.reliability2`,
  'vericode says the tier': `r->>'verification' =
    case f.vericode when 1 then 'verified' when 0 then 'unverified' else 'deverified' end`,
  'column offer_id': `o.offer_id = f.id`,
  'column base_usd_per_hour': `o.base_usd_per_hour = f.dph_base`,
  'column storage_usd_per_gb_month': `o.storage_usd_per_gb_month = f.storage_cost`,
  'columns of bandwidth prices': `o.inet_down_usd_per_gb = f.inet_down_cost and o.inet_up_usd_per_gb = f.inet_up_cost`,
  'columns of minimum bid and discount': `o.min_bid_usd_per_hour is not distinct from f.min_bid
    and o.discounted_usd_per_hour is not distinct from f.discounted_hourly
    and o.discount_rate is not distinct from f.discount_rate`,
  'usdPerHour of the columns at 8 GB = dph_total': `near(o.base_usd_per_hour + o.storage_usd_per_gb_month * 8 / 720, f.dph_total)`,
  'column dlperf': `o.dlperf is not distinct from f.dlperf`,
  'column reliability': `o.reliability = f.reliability2`,
  'column total_tflops': `o.total_tflops is not distinct from f.total_flops`,
  'columns of VRAM, disk and bandwidth': `o.gpu_ram_mb = f.gpu_ram and o.disk_space_gb = f.disk_space
    and o.inet_down = f.inet_down and o.inet_up = f.inet_up`,
  'columns of host, CUDA and driver': `o.host_id = f.host_id
    and o.cuda_max_good is not distinct from f.cuda_max_good
    and o.driver_version is not distinct from f.driver_version`,
  'columns datacenter and static_ip': `o.datacenter = (f.hosting_type > 0) and o.static_ip = f.static_ip`,
  'column verification tier': `(select name from verification_tier where id = o.verification_tier_id) = r->>'verification'`,
  'column country': `(select name from country where id = o.country_id)
    is not distinct from substring(f.geolocation from '([A-Z]{2})$')`,
  'column gpu_ids': `to_jsonb(o.gpu_ids) = r->'gpu_ids'`,
  'listing: machine, model, GPUs': `l.machine_id = f.machine_id and l.num_gpus = f.num_gpus
    and (select name from gpu_model where id = l.gpu_model_id) = f.gpu_name`,
};

const fields = `id bigint, ask_contract_id bigint, machine_id bigint, host_id bigint, gpu_name text, num_gpus int,
  dph_total float8, dph_base float8, dph_total_adj float8, storage_cost float8, storage_total_cost float8,
  inet_down_cost float8, inet_up_cost float8, min_bid float8, discounted_hourly float8, discount_rate float8,
  discounted_dph_total float8, dlperf float8, dlperf_per_dphtotal float8, total_flops float8,
  flops_per_dphtotal float8, internet_up_cost_per_tb float8, internet_down_cost_per_tb float8, gpu_ram float8,
  gpu_total_ram float8, reliability float8, reliability2 float8, vericode int, cuda_max_good float8,
  driver_version text, inet_down float8, inet_up float8, hosting_type int, static_ip boolean, disk_space float8,
  geolocation text`;

describe.skipIf(!hasRecordedData)('the 1,180 recorded full offers', () => {
  let declared: Sql;
  let undeclared: Sql;

  beforeAll(async () => {
    ({ sql: declared } = await createTestDatabase());
    ({ sql: undeclared } = await createTestDatabase());
  });

  it('are imported without a rejected row, and every identity holds on each stored one', async () => {
    const stored: Record<string, number> = {};
    const rows = { offers: 0, checked: 0 };
    // One by one: of each listing the newest offer is kept, so that each file is checked before the next.
    for (const file of fullOfferFiles) {
      const { books } = await importRecorded(declared, [file], { coverage: 'complete' });
      for (const { outcome, certificate } of books) {
        expect(certificate).toMatchObject({ rejected: {}, duplicates: 0, replacedCharacters: 0 });
        expect(outcome.coverage).toMatchObject({ verdict: 'complete', proof: 'declared' });
        rows.offers += outcome.offers;
        const holds = await countHolding(declared, outcome.bookId);
        rows.checked += holds.rows;
        for (const [name, count] of Object.entries(holds.byIdentity))
          stored[name] = (stored[name] ?? 0) + count;
      }
    }
    expect(rows).toEqual({ offers: 1180, checked: 1180 });
    expect(stored).toEqual(Object.fromEntries(Object.keys(identities).map((name) => [name, 1180])));
    expect(await findHalfBooks(declared)).toEqual([]);
  });

  it('are partial unless declared otherwise, and partial ones change no statistics', async () => {
    const { scopeId, books } = await importRecorded(undeclared, fullOfferFiles);
    expect(books.reduce((sum, { outcome }) => sum + outcome.offers, 0)).toBe(1180);
    expect(new Set(books.map(({ outcome }) => outcome.coverage.verdict))).toEqual(new Set(['partial']));
    const range = { from: new Date('2026-01-01'), to: new Date('2027-01-01') };
    expect(
      await storedBookPoints(undeclared, { scopeId, type: 'on-demand', gpuName: null, ...range }),
    ).toEqual([]);
    const [row] =
      await undeclared`select (select count(*) from presence) as presence, (select count(*) from price_interval) as runs,
      (select count(*) from listing_attribute) as attributes, (select count(*) from book_point) as points,
      (select count(*) from latest_offer where from_complete_book) as complete`;
    expect(row).toEqual({ presence: 0, runs: 0, attributes: 0, points: 0, complete: 0 });
  });
});

async function countHolding(
  sql: Sql,
  bookId: number,
): Promise<{ rows: number; byIdentity: Record<string, number> }> {
  await sql`create or replace function near(a float8, b float8) returns boolean language sql immutable as
    'select a is not distinct from b or abs(a - b) <= 1e-9 * greatest(abs(a), abs(b))'`;
  const counts = Object.entries(identities).map(
    ([name, test]) => `'${name}', count(*) filter (where ${test})`,
  );
  const halves = [counts.slice(0, 16), counts.slice(16)].map(
    (half) => `jsonb_build_object(${half.join(', ')})`,
  );
  const [row] = await sql.unsafe<{ rows: number; held: Record<string, number> }[]>(
    `select count(*) as rows, ${halves.join(' || ')} as held
     from latest_offer o join listing l on l.id = o.listing_id
     join record_page p on p.book_id = o.book_id and p.page = o.page
     cross join lateral (select p.records[o.place]::jsonb as r) raw
     cross join lateral jsonb_to_record(r) as f(${fields})
     where o.book_id = $1 and o.from_complete_book`,
    [bookId],
  );
  if (row === undefined) throw new Error('nothing counted');
  return { rows: row.rows, byIdentity: row.held };
}
