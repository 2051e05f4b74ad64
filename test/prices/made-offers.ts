import { openLanding } from '../../src/books/landing/land-book.sql.ts';
import { blankCertificate, type CoverageSlice, complete, partial } from '../../src/core/coverage.ts';
import type { Offer, PricingType } from '../../src/core/offer.ts';
import { unstatedFields } from '../../src/core/offer-fields.ts';
import type { Sql } from '../../src/database/connection.ts';
import { pointStatistics } from '../../src/prices/statistics/point-statistics.ts';

/** An offer with every figure known; `values` replace some. */
export function makeOffer(offerId: number, values: Partial<Offer> = {}): Offer {
  return {
    ...unstatedFields,
    offerId,
    machineId: offerId * 10,
    hostId: 7,
    gpuName: 'RTX 4090',
    numGpus: 1,
    type: 'on-demand',
    baseUsdPerHour: 0.4,
    listedUsdPerHour: 0.4,
    storageUsdPerGbMonth: 0.09,
    inetDownUsdPerGb: 0.01,
    inetUpUsdPerGb: 0.02,
    minBidUsdPerHour: 0.2,
    discountedUsdPerHour: null,
    discountRate: null,
    dlperf: 100,
    reliability: 0.99,
    gpuRamMb: 24_564,
    totalTflops: 80,
    country: 'DE',
    verification: 'verified',
    cudaMaxGood: 12.4,
    driverVersion: '550.54.14',
    inetDown: 500,
    inetUp: 400,
    datacenter: true,
    staticIp: true,
    diskSpaceGb: 200,
    cpuCores: 16,
    cpuCoresEffective: 8,
    cpuRamMb: 64_000,
    cpuName: 'AMD EPYC 7543 32-Core Processor',
    maxDurationHours: 720,
    gpuIds: [offerId],
    raw: JSON.stringify({ id: offerId, ...values }),
    ...values,
  };
}

/** An offer of a machine and host of its own that costs what it says, without storage. */
export const priced = (machineId: number, baseUsdPerHour: number, values: Partial<Offer> = {}): Offer =>
  makeOffer(machineId, {
    machineId,
    hostId: 100 + machineId,
    storageUsdPerGbMonth: 0,
    baseUsdPerHour,
    ...values,
  });

/** Lands one book of made offers. */
export async function landOffers(
  sql: Sql,
  marketId: number,
  at: string,
  offers: readonly Offer[],
  options: {
    type?: PricingType;
    verdict?: 'complete' | 'partial';
    scopeName?: string;
    slices?: readonly CoverageSlice[];
  } = {},
): Promise<void> {
  const { type = 'on-demand', verdict = 'complete', scopeName = 'default', slices } = options;
  const landing = await openLanding(sql, {
    marketId,
    scopeName,
    type,
    allocatedStorageGb: 8,
    statistics: pointStatistics,
  });
  const observedAt = new Date(at);
  try {
    await landing.stage(offers.map((offer) => ({ ...offer, type })));
    await landing.land({
      observedAt,
      startedAt: observedAt,
      slices,
      coverage: verdict === 'complete' ? complete('declared') : partial('declared', 'as the test says'),
      certificate: { ...blankCertificate('none'), rows: offers.length, accepted: offers.length },
    });
  } finally {
    await landing.close();
  }
}
