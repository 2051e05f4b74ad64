import { describe, expect, it } from 'vitest';
import { changedQuery } from '../../web/core/address.ts';
import type { Status, StoredMarket } from '../../web/core/api.ts';
import {
  choosableMarkets,
  linkedMarket,
  listedBy,
  marketChanges,
  namedMarkets,
  shownMarkets,
} from '../../web/core/market-choice.ts';
import { labelsOf } from '../../web/prices/trends/shown-series.ts';
import { indexPath, maxModelsOf, trendRequests } from '../../web/prices/trends/trend-request.ts';

const newest = '2026-07-31T01:03:02.000Z';
const stored = (name: string, gpuNames: string[], isDefault = false): StoredMarket => ({
  ...{ name, kind: 'recorded', isDefault, gpuNames, types: ['on-demand'], trust: [], rentingFeePercent: 0 },
  newestBooks: [{ type: 'on-demand', observedAt: newest, verdict: 'complete' }],
});
const markets = [stored('vast', ['A40', 'L4'], true), stored('clore', ['A40', 'B200'])];
const [vast] = markets;
const query = (search: string) => new URLSearchParams(search);
const both = 'market=vast&market=clore';

describe('markets in the address', () => {
  it('are the configured one unless others are named, in the order of the list', () => {
    const names = (search: string) => shownMarkets(query(search), markets).map(({ name }) => name);
    expect(names('')).toEqual(['vast']);
    expect(names('market=clore')).toEqual(['clore']);
    expect(names('market=clore&market=vast&market=clore')).toEqual(['vast', 'clore']);
    expect(namedMarkets(query('market=clore&market=clore'))).toEqual(['clore']);
  });

  it('are left out of the address if only the configured one or none is chosen', () => {
    const chosen = (names: string[]) =>
      changedQuery(query(`by=x&${both}`), marketChanges(names, markets)).toString();
    expect(chosen(['vast'])).toBe('by=x');
    expect(chosen([])).toBe('by=x');
    expect(chosen(['clore'])).toBe('by=x&market=clore');
    expect(chosen(['vast', 'clore'])).toBe(`by=x&${both}`);
  });

  it('are not offered as a choice if only one has a book', () => {
    const empty = { ...stored('simulator', []), newestBooks: [] };
    expect(choosableMarkets([...markets, empty])).toEqual(markets);
    expect(vast && choosableMarkets([vast, empty])).toEqual([]);
  });

  it('offer the models of each of them', () => {
    const status = vast as unknown as Status;
    expect(listedBy(query(''), null, status).gpuNames).toEqual(['A40', 'L4']);
    expect(listedBy(query(both), markets, status).gpuNames).toEqual(['A40', 'L4', 'B200']);
    expect(listedBy(query('market=clore'), markets, status).gpuNames).toEqual(['A40', 'B200']);
  });

  it('stay in links if the address names any', () => {
    expect(linkedMarket(query(''), 'vast')).toBeNull();
    expect(linkedMarket(query(both), 'clore')).toBe('clore');
  });
});

describe('lines of several markets', () => {
  const requests = (search: string) => trendRequests(query(search), newest, markets);

  it('are one per model and market that lists it, over one range, never of two markets', () => {
    const asked = requests(`gpuName=A40&gpuName=B200&${both}&range=7d`);
    expect(labelsOf(asked)).toEqual(['A40 · vast', 'A40 · clore', 'B200 · clore']);
    const paths = asked.map(({ path }) => new URLSearchParams(path.split('?')[1]));
    expect(paths.map((each) => each.getAll('market'))).toEqual([['vast'], ['clore'], ['clore']]);
    const ends = paths.map((each) => `${each.get('from')} ${each.get('to')}`);
    expect(new Set(ends)).toEqual(new Set(['2026-07-24T01:03:02.001Z 2026-07-31T01:03:02.001Z']));
    expect(indexPath(asked)).toBe(
      `/api/index?market=vast&market=clore&gpuName=A40&gpuName=B200&type=on-demand`,
    );
  });

  it('request a model that no market lists, so that the answer says so', () => {
    expect(labelsOf(requests(`gpuName=A41&${both}`))).toEqual(['A41 · vast', 'A41 · clore']);
  });

  it('are named by the market only if there are several, and at most as many as there are colors', () => {
    expect(labelsOf(requests('gpuName=A40&market=clore'))).toEqual(['A40']);
    expect(maxModelsOf(query(both))).toBe(3);
    expect(maxModelsOf(query(''))).toBe(6);
  });
});
