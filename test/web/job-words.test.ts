import { expect, it } from 'vitest';
import { offersQueue, queueNames } from '../../src/jobs/queues.ts';
import { jobWords } from '../../web/core/job-words.ts';

it('each queue of jobs has a name, with its market if it has its own', () => {
  const named = queueNames.map((queue) => jobWords({ queue, scope: null }));
  expect(named.filter((words) => !/^[A-Z]/.test(words))).toEqual([]);
  expect(new Set(named).size).toBe(queueNames.length);
  expect(jobWords({ queue: offersQueue('bid', 'clore.ai'), scope: 'models:RTX 4090' })).toBe(
    'Crawl of bid offers in clore.ai, RTX 4090',
  );
});
