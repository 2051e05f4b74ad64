import { describe, expect, it } from 'vitest';
import { alarmsOf } from '../../web/core/alarms.ts';
import type { Status } from '../../web/core/api.ts';

const fresh: Status = {
  version: '0.0.0',
  role: 'viewer',
  market: { name: 'market.example', kind: 'live' },
  mode: 'live',
  replica: null,
  gpuNames: [],
  types: ['on-demand', 'bid'],
  trust: [],
  newestBooks: [
    { type: 'on-demand', observedAt: '2026-07-31T01:00:00Z', verdict: 'complete', offers: 2 },
    { type: 'bid', observedAt: '2026-07-31T00:30:00Z', verdict: 'complete', offers: 2 },
    { type: 'reserved', observedAt: '2020-01-01T00:00:00Z', verdict: 'complete', offers: 2 },
  ],
  typesWithoutIndex: [],
  dataAgeMinutes: 10,
  maxDataAgeMinutes: 60,
  lastEnded: [
    { type: 'on-demand', endedAt: '2026-07-31T01:00:00Z', outcome: 'complete', reason: null },
    { type: 'bid', endedAt: '2026-07-31T00:30:00Z', outcome: 'unchanged', reason: null },
  ],
  lastCrawls: [],
  markets: [],
  instances: null,
  jobs: { queued: 0, active: 0 },
  schedule: [],
  seeding: null,
  backups: { cron: null, place: null, nextAt: null, isOverdue: false, lastGood: null, lastFailure: null },
  failedJobs: 0,
  actions: { enabled: false },
  capabilities: {
    ...{ label: 'Market', types: ['on-demand', 'bid'], currencies: ['USD'] },
    ...{ account: true, bills: true },
  },
};
const shown = (status: Partial<Status>, minutesSince = 0) =>
  alarmsOf({ ...fresh, ...status }, minutesSince).map(({ kind, type }) => `${kind} ${type}`);

describe('the alarms of the page', () => {
  it('are absent while every crawled type has a fresh complete book', () => {
    expect(shown({})).toEqual([]);
  });

  it.each([
    ['the older type first', {}, 21, ['data-age bid']],
    ['both later', {}, 51, ['data-age on-demand', 'data-age bid']],
    ['up to the limit none', {}, 20, []],
    [
      'the age of the answer itself counts',
      { dataAgeMinutes: 61 },
      0,
      ['data-age on-demand', 'data-age bid'],
    ],
  ])('appear as the data ages: %s', (_, status, minutesSince, expected) => {
    expect(shown(status, minutesSince)).toEqual(expected);
  });

  it('show the age of each type', () => {
    const titles = alarmsOf({ ...fresh, dataAgeMinutes: 100 }, 15).map(({ title }) => title);
    expect(titles).toEqual([
      'Stale data: the newest complete book of on-demand offers is 115 min old.',
      'Stale data: the newest complete book of bid offers is 2 h 25 min old.',
    ]);
  });

  it('report a partial or failed crawl with its reason and what is shown instead', () => {
    const lastEnded: Status['lastEnded'] = [
      {
        type: 'on-demand',
        endedAt: '2026-07-31T01:00:00Z',
        outcome: 'failed',
        reason: 'the market was down',
      },
      { type: 'bid', endedAt: '2026-07-31T01:00:00Z', outcome: 'partial', reason: 'too slow.' },
    ];
    const newestBooks = fresh.newestBooks.map((book) =>
      book.type === 'bid' ? { ...book, verdict: 'partial' as const } : book,
    );
    const alarms = alarmsOf({ ...fresh, lastEnded, newestBooks }, 0);
    expect(alarms.map(({ title }) => title)).toEqual([
      'The last crawl of on-demand offers failed.',
      'The last book of bid offers is partial.',
    ]);
    expect(alarms[0]?.detail).toMatch(/: the market was down\. The page shows the complete book of /);
    expect(alarms[1]?.detail).toMatch(/: too slow\. There is no complete book yet\.$/);
  });

  it('are absent for a recorded market, during seeding, and for an unknown age', () => {
    expect(shown({ mode: 'replay', dataAgeMinutes: 9e6 })).toEqual([]);
    expect(shown({ dataAgeMinutes: null }, 9e6)).toEqual([]);
    expect(shown({ seeding: { done: 3, total: 12 } }, 9e6)).toEqual([]);
  });
});
