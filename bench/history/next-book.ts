import { openLanding } from '../../src/books/landing/land-book.sql.ts';
import { blankCertificate, complete } from '../../src/core/coverage.ts';
import type { Offer } from '../../src/core/offer.ts';
import type { Sql } from '../../src/database/connection.ts';
import { pointStatistics } from '../../src/prices/statistics/point-statistics.ts';
import type { MadeHistory } from './make-history.ts';

const rowsPerPage = 5_000;
/** One in this many listings has a new price: 10% a day with 144 books. */
const listingsPerChange = 1_440;

/**
 * Lands the next book after a history, with all listings at their latest values except a few new prices. Returns the
 * milliseconds from the first staged page to the stored book.
 */
export async function landNextBook(sql: Sql, history: MadeHistory, at: Date): Promise<number> {
  const pages = await readPages(sql);
  let offers = 0;
  const turn = Math.round(at.getTime() / 600_000);
  const startedAt = performance.now();
  const landing = await openLanding(sql, {
    ...{
      marketId: history.marketId,
      scopeName: 'default',
      type: 'on-demand',
      allocatedStorageGb: 8,
      statistics: pointStatistics,
    },
  });
  try {
    for (const bytes of pages) {
      const page = JSON.parse(bytes.toString()) as Offer[];
      offers += page.length;
      await landing.stage(
        page.map((offer) =>
          (offer.offerId + turn) % listingsPerChange === 0
            ? { ...offer, baseUsdPerHour: offer.baseUsdPerHour * 1.01 }
            : offer,
        ),
      );
    }
    const certificate = { ...blankCertificate('id'), rows: offers, accepted: offers };
    const outcome = await landing.land({
      ...{ observedAt: at, startedAt: at, coverage: complete('proved'), certificate },
    });
    if (outcome.kind !== 'landed' || outcome.offers !== offers) throw new Error('the book is not there');
    return performance.now() - startedAt;
  } finally {
    await landing.close();
  }
}

/** Pages as bytes: as objects, this many offers would slow down each garbage collection. */
async function readPages(sql: Sql): Promise<Buffer[]> {
  const pages: Buffer[] = [];
  const offers = sql<Offer[]>`
    select o.offer_id as "offerId", l.machine_id as "machineId", o.host_id as "hostId", m.name as "gpuName",
      l.num_gpus as "numGpus", l.type, o.base_usd_per_hour as "baseUsdPerHour",
      o.base_usd_per_hour as "listedUsdPerHour", o.storage_usd_per_gb_month as "storageUsdPerGbMonth",
      o.inet_down_usd_per_gb as "inetDownUsdPerGb", o.inet_up_usd_per_gb as "inetUpUsdPerGb",
      r.min_bid_usd_per_hour as "minBidUsdPerHour", null as "discountedUsdPerHour", null as "discountRate",
      o.dlperf, o.reliability, o.gpu_ram_mb as "gpuRamMb", o.total_tflops as "totalTflops", c.name as country,
      v.name as verification, o.cuda_max_good as "cudaMaxGood", a.driver_version as "driverVersion",
      o.inet_down as "inetDown", o.inet_up as "inetUp", o.datacenter, o.static_ip as "staticIp",
      o.disk_space_gb as "diskSpaceGb", o.cpu_cores as "cpuCores", o.cpu_ram_mb as "cpuRamMb",
      o.gpu_ids as "gpuIds", p.raw
    from (select book_id, page, r.raw, r.place from record_page,
      unnest(records) with ordinality r (raw, place)) p
    join latest_offer o using (book_id, page, place) join listing l on l.id = o.listing_id
    join gpu_model m on m.id = l.gpu_model_id
    join price_interval r on r.listing_id = l.id and r.valid_to = 'infinity'
    join listing_attribute a on a.listing_id = l.id and a.valid_until = 'infinity'
    left join country c on c.id = o.country_id
    left join verification_tier v on v.id = o.verification_tier_id
    order by o.offer_id`;
  for await (const page of offers.cursor(rowsPerPage)) pages.push(Buffer.from(JSON.stringify(page)));
  return pages;
}
