import { describe, expect, it } from 'vitest';
import { estimateCost, type RateStep } from '../../src/rentals/instances/rental-cost.ts';

type Stage = 'boot' | 'run' | 'stop' | 'gone';
type Cycle = [minutes: number, stage: Stage, base?: string, disk?: string][];

const at = (minutes: number): Date => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000);

function stepsOf(cycle: Cycle): { steps: RateStep[]; until: Date } {
  let minute = 0;
  const steps = cycle.map(([minutes, stage, base = '0.60', disk = '0.012']): RateStep => {
    const step = {
      ...{ fromAt: at(minute), computing: stage === 'run', gone: stage === 'gone' },
      ...{ baseUsdPerHour: base, storageUsdPerHour: disk },
    };
    minute += minutes;
    return step;
  });
  return { steps, until: at(minute) };
}

describe('the estimated cost of a life cycle', () => {
  // Worked out by hand: $0.60/hour is a cent a minute, $0.012/hour of disk two hundredths of a cent.
  it.each<[usd: string, what: string, cycle: Cycle]>([
    ['0', 'nothing yet', []],
    ['0.012', 'an hour booting: the disk alone', [[60, 'boot']]],
    ['0.612', 'an hour running', [[60, 'run']]],
    ['0.012', 'an hour stopped', [[60, 'stop']]],
    ['0', 'an hour after it is gone', [[60, 'gone']]],
    [
      '0.613',
      'five minutes booting, an hour running',
      [
        [5, 'boot'],
        [60, 'run'],
      ],
    ],
    [
      '0.624',
      'an hour running, an hour stopped',
      [
        [60, 'run'],
        [60, 'stop'],
      ],
    ],
    [
      '1.236',
      'run, stop, run',
      [
        [60, 'run'],
        [60, 'stop'],
        [60, 'run'],
      ],
    ],
    [
      '0.612',
      'run, gone',
      [
        [60, 'run'],
        [600, 'gone'],
      ],
    ],
    ['0.0102', 'one minute running', [[1, 'run']]],
    ['14.688', 'a day running', [[1440, 'run']]],
    ['44.064', 'three days running', [[4320, 'run']]],
    ['0.288', 'a day stopped', [[1440, 'stop']]],
    [
      '1.812',
      'a bid raised to double after an hour',
      [
        [60, 'run', '0.60'],
        [60, 'run', '1.188'],
      ],
    ],
    [
      '0.912',
      'a bid halved after an hour',
      [
        [60, 'run', '0.60', '0'],
        [60, 'run', '0.30'],
      ],
    ],
    ['0.6', 'no disk price to speak of', [[60, 'run', '0.60', '0']]],
    [
      '0.624',
      'a start that never ran, destroyed after 52 hours',
      [
        [3120, 'boot'],
        [5, 'gone'],
      ],
    ],
    [
      '0.0306',
      'three short runs',
      [
        [1, 'run'],
        [0, 'stop'],
        [1, 'run'],
        [0, 'stop'],
        [1, 'run'],
      ],
    ],
    [
      '0.63',
      'boots, runs, is outbid, ends',
      [
        [30, 'boot'],
        [60, 'run'],
        [60, 'stop'],
        [1, 'gone'],
      ],
    ],
    [
      '0.002',
      'ten minutes that never came to anything',
      [
        [10, 'boot'],
        [90, 'gone'],
      ],
    ],
  ])('is $%s for %s', (usd, _, cycle) => {
    const { steps, until } = stepsOf(cycle);
    expect(estimateCost(steps, until)).toMatchObject({ isLowerBound: false });
    expect(estimateCost(steps, until).usd.toString()).toBe(usd);
  });

  it('of two periods equals that of the whole, and an unknown rate makes it a lower bound', () => {
    const { steps, until } = stepsOf([
      [7, 'boot'],
      [61, 'run'],
      [13, 'stop'],
    ]);
    const middle = at(33);
    const parts = [estimateCost(steps, middle), estimateCost(steps, until, middle)];
    expect(parts[0]?.usd.plus(parts[1]?.usd ?? 0).toString()).toBe(estimateCost(steps, until).usd.toString());
    const unknown = steps.map((step) => ({ ...step, storageUsdPerHour: null }));
    expect(estimateCost(unknown, until).isLowerBound).toBe(true);
  });
});
