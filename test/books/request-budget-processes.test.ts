import { expect, inject, it } from 'vitest';
import { proveBudget } from '../../prove/crawl/budget.ts';
import { silentLog } from '../support/silent-log.ts';

it('three processes at full speed, one killed and one suspended, stay within one budget and use it up', async () => {
  const { counts, failures } = await proveBudget({
    ...{ seed: Date.now() % 1_000, seconds: 16, windowMs: 5_000, listWindowMs: 4_000, lagMs: 400 },
    ...{ log: silentLog, server: inject('server') },
  });
  expect({ failures, counts }).toMatchObject({
    failures: [],
    counts: { processes: 3, 'killed, as the system says': 1 },
  });
});
