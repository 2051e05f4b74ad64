import type { PriceDrops } from './price-drops.ts';

/** Describes whether waiting has paid off. Source: docs/meaning.md#wait-or-rent. */
export function describeWait(
  { cases, neededCases, drops }: PriceDrops,
  hours: number,
  observedAt: Date | null = null,
): string {
  const [drop] = drops;
  if (drop === undefined || drop.chance === null) {
    const missingMs = (neededCases - cases) * hours * 3_600_000;
    const ready =
      observedAt === null
        ? ''
        : `; ready about ${new Date(observedAt.getTime() + missingMs).toISOString().slice(0, 10)}`;
    return `Not enough history to say whether waiting pays off: ${cases} of the ${neededCases} past periods that it takes, each of ${hours} hours with prices read at least every 3 hours${ready}.`;
  }
  const what = `${drop.percent}% below the lowest price appeared`;
  const periods = `past periods of ${hours} hours`;
  if (drop.chance === 0) return `In ${cases} ${periods} no offer ${what}.`;
  const after =
    drop.medianHours === null ? '' : `, usually after ${Number(drop.medianHours.toFixed(1))} hours`;
  return `In ${tenths(drop.chance)} ${periods} an offer at least ${what}${after} (${cases} periods).`;
}

function tenths(share: number): string {
  const count = Math.round(10 * share);
  if (count === 0) return 'fewer than 1 of 10';
  return share < 1 && count === 10 ? 'more than 9 of 10' : `${count} of 10`;
}
