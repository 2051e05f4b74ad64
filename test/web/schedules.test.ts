import { describe, expect, it } from 'vitest';
import { isFixedCron } from '../../src/jobs/ticks.ts';
import {
  crawlSchedules,
  digestSchedules,
  labelInZone,
  reportSchedules,
  scheduleInWords,
} from '../../web/core/schedules.ts';

describe('schedules in words', () => {
  it('are valid expressions, and read as they are chosen', () => {
    const all = [...crawlSchedules, ...reportSchedules, ...digestSchedules].filter(({ cron }) => cron !== '');
    expect(all.length).toBeGreaterThan(10);
    for (const { cron, label } of all) {
      expect(isFixedCron(cron), cron).toBe(true);
      expect(scheduleInWords(cron, 'UTC').toLowerCase()).toBe(
        labelInZone({ cron, label }, 'UTC').toLowerCase(),
      );
    }
  });

  it.each([
    ['0 8 * * *', 'every morning at 08:00, Europe/Berlin'],
    ['0 * * * *', 'hourly'],
    ['0 8 * * 1', 'Mondays at 08:00, Europe/Berlin'],
    ['5 4 * * *', 'custom (5 4 * * *), Europe/Berlin'],
  ])('say what %s means', (cron, words) => {
    expect(scheduleInWords(cron, 'Europe/Berlin')).toBe(words);
  });
});
