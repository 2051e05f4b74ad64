import { expect, it } from 'vitest';
import { filledLimits, limitsBody } from '../../web/rentals/instances/filled-limits.ts';
import { instanceAt } from './made-instance.ts';

const none = { maxHours: null, idleMinutes: null, maxUsd: null, cheaperPercent: null };

it('a form without limits removes all, and says nothing of what happens at one', () => {
  expect(limitsBody(filledLimits(instanceAt('1')))).toEqual(none);
});

it.each([
  [
    { maxHours: 4, endsAt: '2026-03-02T04:00:00Z', endAction: 'stop' as const, warnMinutes: 0 },
    { ...none, maxHours: 4, endAction: 'stop', warnMinutes: 0 },
  ],
  [
    { endsAt: '2026-03-02T04:00:00Z', endAction: 'destroy' as const, warnMinutes: 20 },
    {
      ...{ idleMinutes: null, maxUsd: null, cheaperPercent: null, endsAt: '2026-03-02T04:00:00.000Z' },
      ...{ endAction: 'destroy', warnMinutes: 20 },
    },
  ],
  [
    { idleMinutes: 30, idlePercent: 8, maxUsd: '12.5', endAction: 'stop' as const, warnMinutes: 15 },
    { ...none, idleMinutes: 30, idlePercent: 8, maxUsd: 12.5, endAction: 'stop', warnMinutes: 15 },
  ],
  [
    { cheaperPercent: 10, cheaperBooks: 3, cheaperOfBooks: 5, cheaperAction: 'replace' as const },
    { ...none, cheaperPercent: 10, cheaperBooks: 3, cheaperOfBooks: 5, cheaperAction: 'replace' },
  ],
])('a form that is saved as it is shown changes nothing: %j', (limits, body) => {
  expect(limitsBody(filledLimits({ ...instanceAt('1'), ...limits }))).toEqual(body);
});
