import { describe, expect, it } from 'vitest';
import { changedQuery, hrefOf } from '../../web/core/address.ts';
import type { TrendPoint, Trends } from '../../web/core/api.ts';
import { rankingPath } from '../../web/prices/deals/ranking-request.ts';
import {
  comparedShiftMs,
  earlierRequests,
  movedRange,
  rebasedPath,
  supplyRequests,
  trendRequests,
} from '../../web/prices/trends/trend-request.ts';

const query = (path: string) => Object.fromEntries(new URLSearchParams(path.split('?')[1]));
const newest = '2026-07-31T01:03:02.000Z';
const requests = (search: string) =>
  trendRequests(new URLSearchParams(search), newest).map(({ path }) => query(path));

describe('choices in the address', () => {
  it('change one at a time, and are removed when empty', () => {
    const before = new URLSearchParams('gpuName=A40&gpuName=RTX+4090&range=7d');
    const changes = { gpuName: ['A100 & "B" é+%'], range: null, log: '1', by: '' };
    const after = changedQuery(before, changes);
    expect([...after]).toEqual([
      ['gpuName', 'A100 & "B" é+%'],
      ['log', '1'],
    ]);
    expect([...new URL(hrefOf('/trends', after), 'http://a').searchParams]).toEqual([...after]);
    expect(hrefOf('/trends', changedQuery(after, { gpuName: null, log: null }))).toBe('/trends');
  });
});

describe('requests for a chart', () => {
  it('are split by model and type, so that none is large', () => {
    expect(
      requests('gpuName=A40&gpuName=L4&type=on-demand&type=bid').map((each) => Object.values(each)),
    ).toEqual([
      ['A40', 'on-demand'],
      ['A40', 'bid'],
      ['L4', 'on-demand'],
      ['L4', 'bid'],
    ]);
    expect(requests('')).toEqual([{ type: 'on-demand' }]);
  });

  it('end at the newest book for short ranges, not at the clock', () => {
    expect(requests('range=24h')[0]?.from).toBe('2026-07-30T01:03:02.000Z');
    expect(requests('range=7d')[0]?.from).toBe('2026-07-24T01:03:02.000Z');
    expect(requests('range=all')[0]?.from).toBe('1970-01-01');
    expect(trendRequests(new URLSearchParams('range=24h'), null)[0]?.path).not.toContain('from');
  });

  it('contain filters, profile, metric and custom range, and nothing else', () => {
    expect(
      requests('minVramGb=24&storageGb=50&metric=usdPerHour&from=2026-07-01&log=1&compare=1&by=x'),
    ).toEqual([
      { minVramGb: '24', storageGb: '50', metric: 'usdPerHour', from: '2026-07-01', type: 'on-demand' },
    ]);
  });

  it('leave the interval to the server if the chosen one gives too many points', () => {
    const bucket = (search: string) => requests(search)[0]?.bucket;
    expect(bucket('range=7d&bucket=book')).toBe('book');
    expect(bucket('range=90d&bucket=1h')).toBe('1h');
    expect(bucket('range=all&bucket=1d')).toBe('1d');
    expect(bucket('from=2026-07-20&bucket=book')).toBe('book');
    for (const search of ['range=30d&bucket=book', 'range=all&bucket=book', 'range=1y&bucket=1h']) {
      expect(bucket(search), search).toBeUndefined();
    }
    expect(bucket('from=2025-07-20&bucket=book')).toBeUndefined();
    expect(bucket('bucket=auto')).toBeUndefined();
    const both = 'type=on-demand&type=bid';
    expect(bucket(`${both}&range=7d&bucket=book`)).toBe('book');
    for (const search of [`${both}&range=90d&bucket=1h`, `${both}&from=2026-07-15&bucket=book`]) {
      expect(bucket(search), search).toBeUndefined();
    }
  });

  it("compare with a month earlier, or with the range's own length if it is longer", () => {
    const day = 86_400_000;
    expect(comparedShiftMs('2026-07-24', '2026-07-31') / day).toBe(30);
    expect(comparedShiftMs('2026-01-01', '2026-07-31') / day).toBe(211);
    const [request] = earlierRequests(trendRequests(new URLSearchParams('gpuName=A40'), newest), {
      ...{ from: '2026-07-01T00:00:00.000Z', to: '2026-07-31T00:00:00.000Z', bucket: '1h' },
    });
    expect(query(request?.path ?? '')).toEqual({
      ...{ gpuName: 'A40', type: 'on-demand', bucket: '1h' },
      ...{ from: '2026-06-01T00:00:00.000Z', to: '2026-07-01T00:00:00.000Z' },
    });
  });
});

describe('requests for combined supply of several types', () => {
  const answer = (t: string | null): Trends => ({
    ...{ bucket: '1d', from: '1970-01-01T00:00:00.000Z', to: newest, metric: 'usdPerGpuHour', unit: 'USD' },
    series: [{ key: '*', market: 'test', points: t === null ? [] : [{ t } as TrendPoint] }],
    attributesAsOf: 'day',
    supply: [],
    coverage: { books: 0, complete: 0, partial: 0, failed: 0, expected: null },
  });

  it('are split by model, over the range with points, in the shown intervals', () => {
    const wanted = trendRequests(
      new URLSearchParams('gpuName=A40&gpuName=L4&type=on-demand&type=bid&minVramGb=24&range=all'),
      newest,
    );
    const shown = ['2026-03-05T00:00:00.000Z', '2026-03-02T00:00:00.000Z', null, null].map(answer);
    const later = '2026-07-31T01:03:02.262Z';
    const asked = supplyRequests(
      wanted,
      // The newest book of bids is a little later: the round of both ends with it.
      shown.map((each, place) => (place === 1 ? { ...each, to: later } : each)),
    );
    expect(asked.map(({ gpuName }) => gpuName)).toEqual(['A40', 'L4']);
    const search = new URLSearchParams(asked[1]?.path.split('?')[1]);
    expect(search.getAll('type')).toEqual(['on-demand', 'bid']);
    expect(Object.fromEntries(search)).toEqual({
      ...{ gpuName: 'L4', type: 'bid', minVramGb: '24', bucket: '1d', to: later },
      from: '2026-03-02T00:00:00.000Z',
    });
  });

  it('are not made if one type is drawn, or nothing is shown yet', () => {
    const one = trendRequests(new URLSearchParams('gpuName=A40&gpuName=L4'), newest);
    expect(supplyRequests(one, [answer(null), answer(null)])).toEqual([]);
    expect(supplyRequests(trendRequests(new URLSearchParams('type=on-demand&type=bid'), newest), [])).toEqual(
      [],
    );
  });
});

it('index levels are requested for the chosen models and range, without filters', () => {
  const pathOf = (search: string) => rebasedPath(trendRequests(new URLSearchParams(search), newest));
  const chosen = pathOf('gpuName=A40&gpuName=L4&range=7d&minVramGb=24&bucket=1h&metric=index');
  expect(chosen).toBe(
    '/api/index?gpuName=A40&gpuName=L4&type=on-demand&rebase=true&from=2026-07-24T01%3A03%3A02.000Z',
  );
  expect(pathOf('metric=index')).toBeNull();
});

describe('zooming', () => {
  const hour = 3_600_000;
  it('keeps its center in place, and undoes itself', () => {
    const near = movedRange({ from: 0, to: 8 * hour }, { zoom: 0.5, around: 2 * hour });
    expect(near).toEqual({ from: hour, to: 5 * hour });
    expect(movedRange(near, { zoom: 2, around: 2 * hour })).toEqual({ from: 0, to: 8 * hour });
    expect(movedRange(near, { pan: 0.25 })).toEqual({ from: 2 * hour, to: 6 * hour });
  });

  it('stops at a minute', () => {
    const { from, to } = movedRange({ from: 0, to: 60_000 }, { zoom: 0.5 });
    expect(to - from).toBeGreaterThanOrEqual(60_000);
  });
});

it("the ranking is requested with the address's names", () => {
  const path = rankingPath(
    new URLSearchParams('by=usdPerGpuHour&numGpus=1&numGpus=2&minReliability=0.9&log=1'),
    50,
  );
  expect(path).toBe('/api/rankings?numGpus=1&numGpus=2&minReliability=0.9&by=usdPerGpuHour&limit=50');
});
