import type { RentRequest } from '../../src/rentals/rent/rent-request.ts';
import type { TestAccount } from './test-account.ts';

/** A request for a machine for which the market offers an equal one that costs 15 to 50% less. */
export function dearRequest({ simulator }: TestAccount): RentRequest {
  const rows = simulator
    .offersAt(undefined, { storageGb: 20 })
    .filter((row) => row.rentable === true && row.vms_enabled !== true && Number(row.disk_space) >= 20);
  const price = (row: (typeof rows)[number]) => Number(row.dph_base) + (Number(row.storage_cost) * 20) / 720;
  const tiers = ['deverified', 'unverified', 'verified'];
  const dear = rows.find((own) =>
    rows.some(
      (row) =>
        row.machine_id !== own.machine_id &&
        row.gpu_name === own.gpu_name &&
        row.num_gpus === own.num_gpus &&
        Number(row.gpu_ram) >= Number(own.gpu_ram) &&
        tiers.indexOf(String(row.verification)) >= tiers.indexOf(String(own.verification)) &&
        Number(row.reliability2) >= Number(own.reliability2) - 0.01 &&
        price(row) <= 0.85 * price(own) &&
        price(row) >= 0.5 * price(own),
    ),
  );
  return { offerId: Number(dear?.id), image: 'ubuntu:24.04', diskGb: 20 };
}
