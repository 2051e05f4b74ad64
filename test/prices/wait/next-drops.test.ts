import { expect, it } from 'vitest';
import { createRandom } from '../../../prove/seeded-random.ts';
import { createTurns } from '../../../src/core/turns.ts';
import { dropPercents, findNextDrops, maxWaitHours } from '../../../src/prices/wait/next-drops.ts';

const hourMs = 3_600_000;
const hourly = (count: number) => Float64Array.from({ length: count }, (_, hour) => hour * hourMs);

it('finds the first later price that is lower by as much, as a plain search over the longest wait does', async () => {
  const random = createRandom(7);
  const times = hourly(600);
  const prices = Float64Array.from(times, () => (random() < 0.1 ? Number.NaN : 0.8 + random() ** 3));
  const plain = dropPercents.map((percent) =>
    Array.from(prices, (price, at) =>
      prices.findIndex(
        (later, place) => place > at && place - at <= maxWaitHours && later <= (1 - percent / 100) * price,
      ),
    ),
  );
  const found = await findNextDrops(times, prices, createTurns());
  expect(found.map((places) => [...places])).toEqual(plain);
  for (const places of plain) expect(places.filter((place) => place !== -1).length).toBeGreaterThan(50);
});

it('finds a drop at the end of the longest wait, and none after it', async () => {
  const times = hourly(maxWaitHours + 2);
  const prices = new Float64Array(times.length).fill(1);
  prices[maxWaitHours + 1] = 0.5;
  for (const places of await findNextDrops(times, prices, createTurns()))
    expect([...places.subarray(0, 3)]).toEqual([-1, maxWaitHours + 1, maxWaitHours + 1]);
});
