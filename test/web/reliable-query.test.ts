import { describe, expect, it } from 'vitest';
import { changedQuery } from '../../web/core/address.ts';
import type { StoredMarket } from '../../web/core/api.ts';
import {
  askedQuery,
  asksTrust,
  canBeReliable,
  dealsQuery,
  editedChanges,
  hiddenOffers,
  hidingWords,
  isReliable,
  reliableChanges,
  type StatedTrust,
  statedTrust,
} from '../../web/prices/deals/reliable-query.ts';

const both: StatedTrust = { verification: 'all', reliability: true };
const mixed: StatedTrust = { verification: 'some', reliability: true };
const unverified: StatedTrust = { verification: 'none', reliability: true };
const nothing: StatedTrust = { verification: 'none', reliability: false };

const asked = (query: string, trust = both) => String(askedQuery(new URLSearchParams(query), trust));

describe('the switch Reliable', () => {
  it('is on unless it is switched off or a filter allows offers that are not reliable', () => {
    const on = [
      '',
      'verification=verified',
      'minReliability=0.99',
      'minReliability=99 %',
      'minReliability=x',
    ];
    const off = [
      ...['reliable=off', 'verification=deverified', 'verification=verified&verification=unverified'],
      ...['minReliability=0.9', 'minReliability=90%', 'reliable=off&minReliability=0.99'],
    ];
    expect(on.filter((query) => !isReliable(new URLSearchParams(query)))).toEqual([]);
    expect(off.filter((query) => isReliable(new URLSearchParams(query)))).toEqual([]);
  });

  it('asks for verified offers of 98%, where the market states either', () => {
    expect(asked('numGpus=2')).toBe('numGpus=2&verification=verified&minReliability=0.98');
    expect(asked('minReliability=0.995')).toBe('verification=verified&minReliability=0.995');
    expect(asked('', unverified)).toBe('minReliability=0.98');
    expect(asked('', { ...both, reliability: false })).toBe('verification=verified');
    expect(asked('', mixed)).toBe(
      'excludeVerification=unverified&excludeVerification=deverified&minReliability=0.98',
    );
    expect(asked('numGpus=2', nothing)).toBe('numGpus=2');
    expect([both, mixed, unverified, nothing].map(canBeReliable)).toEqual([true, true, true, false]);
  });

  it('off lists deverified offers last, unless they are asked for', () => {
    expect(asked('reliable=off')).toBe('reliable=off&deverifiedLast=true');
    expect(asked('minReliability=0.5')).toBe('minReliability=0.5&deverifiedLast=true');
    expect(asked('verification=deverified')).toBe('verification=deverified');
    expect(asked('reliable=off&sort=verification&order=desc')).not.toContain('deverifiedLast');
    expect(asked('reliable=off&deverifiedLast=false')).toBe('reliable=off&deverifiedLast=false');
    expect(asked('reliable=off', unverified)).toBe('reliable=off');
  });

  it('gives way to an edit of what it stands for, and the rest of that stays', () => {
    const edited = (query: string, edit: Parameters<typeof editedChanges>[2], trust = both) => {
      const before = new URLSearchParams(query);
      return String(askedQuery(changedQuery(before, editedChanges(before, trust, edit)), nothing));
    };
    expect(edited('', { minReliability: '0.99' })).toBe('minReliability=0.99');
    expect(edited('', { country: 'DE' })).toBe('country=DE');
    expect(edited('', { minReliability: null })).toBe('verification=verified&reliable=off');
    expect(edited('', { verification: [] })).toBe('minReliability=0.98&reliable=off');
    expect(edited('', { verification: ['verified', 'unverified'] })).toBe(
      'verification=verified&verification=unverified&minReliability=0.98&reliable=off',
    );
    expect(edited('', { excludeVerification: ['deverified'] }, mixed)).toBe(
      'excludeVerification=deverified&minReliability=0.98&reliable=off',
    );
    expect(edited('reliable=off', { verification: [] })).toBe('reliable=off');
  });

  it('switched on removes only what contradicts it', () => {
    const query = new URLSearchParams('reliable=off&minReliability=0.5&verification=verified&numGpus=1');
    expect(reliableChanges(query, true)).toEqual({ reliable: null, minReliability: null });
    expect(reliableChanges(query, false)).toEqual({ reliable: 'off' });
  });

  it('shows in Deals the offers that a query asks for', () => {
    const shown = (query: string, trust = both) => String(dealsQuery(new URLSearchParams(query), trust));
    expect(shown(asked('numGpus=2'))).toBe('numGpus=2');
    expect(shown('numGpus=2')).toBe('numGpus=2&reliable=off');
    expect(shown('minReliability=0.98')).toBe('minReliability=0.98&reliable=off');
    const queries = ['numGpus=2&reliable=off', 'numGpus=2&minReliability=0.9'];
    expect(queries.map((query) => asksTrust(new URLSearchParams(query)))).toEqual([false, true]);
  });

  it('says what it hides', () => {
    expect(hidingWords(both)).toBe('not verified or under 98% reliability');
    expect(hidingWords(unverified)).toBe('under 98% reliability');
    expect(hidingWords({ ...both, reliability: false })).toBe('not verified');
  });
});

describe('what the chosen markets state', () => {
  const market = (name: string, trust: StoredMarket['trust'], isDefault = false) =>
    ({ name, isDefault, trust }) as StoredMarket;
  const markets = [
    market('a', ['verification', 'reliability'], true),
    market('b', ['reliability']),
    market('c', []),
  ];
  it.each([
    ['', both],
    ['market=b', unverified],
    ['market=c', nothing],
    ['market=a&market=b', mixed],
    ['market=a&market=c', mixed],
    ['market=b&market=c', unverified],
  ])('of %j', (query, trust) => {
    expect(
      statedTrust(new URLSearchParams(query), markets, { trust: ['verification', 'reliability'] }),
    ).toEqual(trust);
  });

  it('is taken to be both as long as it is unknown', () => {
    expect(statedTrust(new URLSearchParams(), null, null)).toEqual(both);
    expect(statedTrust(new URLSearchParams('market=b'), null, { trust: [] })).toEqual(both);
  });
});

it('counts offers that the switch hides also where they are not ranked', () => {
  const unranked = (offers: number) => [{ reason: 'no DLPerf score', offers }];
  expect(hiddenOffers({ total: 797, unranked: unranked(3) }, { total: 1787, unranked: unranked(9) })).toBe(
    996,
  );
  expect(hiddenOffers({ total: 81, unranked: [] }, { total: 80, unranked: [] })).toBe(0);
});
