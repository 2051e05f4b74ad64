import type { Sql } from '../../../src/database/connection.ts';
import { landOffers, makeOffer } from '../../prices/made-offers.ts';
import { landBills, makeCharge, makeInvoice } from '../../support/made-bills.ts';

const hour = (day: string, at: number): string => `${day}T${String(at).padStart(2, '0')}:00:00.123Z`;

/** The offers of a book: some come and go, some change their price, one states no price of storage. */
export const offersAt = (number: number) =>
  [0, 1, 2, 3, 4, 5, 6]
    .filter((offer) => (number + offer) % 4 !== 0)
    .map((offer) =>
      makeOffer(offer + 1, {
        gpuName: offer < 5 ? 'RTX 4090' : 'RTX 5090',
        numGpus: 1 + (offer % 2),
        baseUsdPerHour: 0.3 + offer / 7 + (number % (offer + 3)) / 90,
        storageUsdPerGbMonth: offer === 3 ? null : 0.05 + offer / 100,
        country: offer === 2 ? null : offer < 2 ? 'DE' : 'US',
        reliability: 0.9 + (number % 5) / 60,
      }),
    );

/** Lands some books a day for days from 1 July 2026, as complete ones and a few partial ones. */
export async function landDays(sql: Sql, marketId: number, days: number, booksPerDay = 4): Promise<void> {
  for (let number = 0; number < days * booksPerDay; number += 1) {
    const day = `2026-07-${String(1 + Math.floor(number / booksPerDay)).padStart(2, '0')}`;
    const at = hour(day, (number % booksPerDay) * 5);
    const verdict = number % 7 === 5 ? 'partial' : 'complete';
    await landOffers(sql, marketId, at, offersAt(number), { verdict });
  }
}

/** Bills with many decimals, over several days, one open and one that has disappeared. */
export async function landMadeBills(sql: Sql, marketId: number): Promise<void> {
  const charges = [
    makeCharge(1, {
      start: '2026-07-01T05:00:00Z',
      end: '2026-07-04T07:13:11Z',
      amountUsd: '3.000000000000000000001',
    }),
    makeCharge(2, {
      start: '2026-07-02T00:00:00Z',
      end: '2026-07-02T00:00:07Z',
      amountUsd: '0.1',
      label: 'tests',
    }),
    makeCharge(3, { start: '2026-07-03T12:00:00Z', end: null, amountUsd: '7.77' }),
  ];
  const gone = makeCharge(4, { start: '2026-07-02T03:00:00Z', end: '2026-07-02T04:00:00Z', amountUsd: '99' });
  await landBills(sql, marketId, 'charge', '2026-07-06T00:00:00Z', [...charges, gone]);
  await landBills(sql, marketId, 'charge', '2026-07-07T00:00:00Z', charges);
  await landBills(sql, marketId, 'charge', '2026-07-08T00:00:00Z', charges);
  const payment = makeInvoice(1, { start: '2026-07-02T10:00:00Z', amountUsd: '-20.5' });
  await landBills(sql, marketId, 'invoice', '2026-07-06T00:00:00Z', [payment]);
}
