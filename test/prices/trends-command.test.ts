import { expect, it } from 'vitest';
import { describeTrends } from '../../src/prices/trends/trends.command.ts';

it('trends that are asked for while the first history is made say that it is not all yet', () => {
  const answer: Parameters<typeof describeTrends>[0] = {
    ...{ metric: 'usdPerGpuHour', bucket: '1d', unit: '$/GPU-hour', timeZone: 'UTC', series: [] },
    ...{ from: '2026-03-01T00:00:00Z', to: '2026-03-03T00:00:00Z' },
    ...{ attributesAsOf: 'day', supply: [] },
    coverage: { books: 0, complete: 0, partial: 0, failed: 0, expected: null },
  };
  expect(describeTrends(answer, { done: 98, total: 146 })).toMatch(
    /Not all yet: the first history is being made, book 98 of 146\. Run it again once `offerbook status`/,
  );
  expect(describeTrends(answer, null)).not.toContain('Not all yet');
});
