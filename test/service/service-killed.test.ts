import { expect, inject, it } from 'vitest';
import { proveKilledWorkers } from '../../prove/crawl/killed-workers.ts';
import { silentLog } from '../support/silent-log.ts';

it('workers killed in every phase of a crawl lose no book, store none twice, and change no figure', async () => {
  const { failures, counts } = await proveKilledWorkers({
    ...{ seed: 20_261_121, log: silentLog, server: inject('server') },
    ...{ killsPerPhase: 1, crawlsPerState: 3, states: 1 },
  });
  expect(failures).toEqual([]);
  expect(counts).toMatchObject({ 'killed: crawls': 12, 'killed: books': 12 });
}, 240_000);
