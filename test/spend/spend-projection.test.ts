import { expect, it } from 'vitest';
import { hoursUntil, projectSpend } from '../../src/spend/budgets/spend-projection.ts';
import { Exact } from '../../src/spend/exact-sums.ts';

it('a projection is what its parts give, to the last digit', () => {
  const [now, to] = [new Date('2026-11-27T07:00:00.123Z'), new Date('2026-12-01T00:00:00.000Z')];
  const spent = [{ label: null, amountUsd: '88.13' }];
  const facts = { timeZone: 'UTC', from: new Date('2026-11-01T00:00:00.000Z'), to, now, spent };
  const differing = Array.from({ length: 60 }, (_, place) => place + 1).filter((seconds) => {
    const untilAt = new Date(to.getTime() - seconds * 1000);
    const burns = [{ label: null, fromAt: null, untilAt, usdPerHour: '0.417777777777', unpriced: 0 }];
    const { spentUsd, burnUsdPerHour, knownEndsUsd, projectedUsd } = projectSpend({ ...facts, burns }, null);
    expect(Number(knownEndsUsd)).toBeGreaterThan(0);
    const again = hoursUntil(to, now)
      .times(burnUsdPerHour ?? 0)
      .minus(knownEndsUsd)
      .plus(spentUsd);
    return projectedUsd !== new Exact(again).toDecimalPlaces(12).toString();
  });
  expect(differing).toEqual([]);
});
