import { describe, expect, it } from 'vitest';
import { blankCertificate } from '../../../src/core/coverage.ts';
import { createSightings } from '../../../src/market/vast/crawl/sightings.ts';
import type { OfferPage } from '../../../src/market/vast/offers.ts';
import { smallRecords } from '../../books/crawl/small-market.ts';

/** A page that shows these offers; ids of rejected rows beside them. */
const pageOf = (offerIds: readonly number[], rejectedIds: readonly number[] = []): OfferPage => ({
  offers: offerIds.map((offerId) => ({ offerId })) as OfferPage['offers'],
  ...{ ids: [...offerIds, ...rejectedIds], rows: offerIds.length + rejectedIds.length },
  ...{ rejected: [], replacedCharacters: 0, bodyBytes: 0, retries: 0, throttles: 0, durationMs: 0 },
});
const ids = (from: number, to: number): number[] =>
  smallRecords(to - from + 1).map(({ id }) => id + from - 1);

describe('what the passes saw', () => {
  it('is counted per pass, and new offers over all passes', () => {
    const certificate = blankCertificate('id');
    const sightings = createSightings(certificate, 'RTX 4090');
    sightings.beginPass('full');
    sightings.note(pageOf(ids(1, 10)));
    sightings.note(pageOf(ids(11, 15), [99]));
    sightings.beginPass('sample');
    sightings.note(pageOf([5, 6, 16]));
    expect(certificate.passes).toEqual([
      { kind: 'full', part: 'RTX 4090', pages: 2, rows: 16, unseen: 15 },
      { kind: 'sample', part: 'RTX 4090', pages: 1, rows: 3, unseen: 1 },
    ]);
    expect([sightings.size(), sightings.highestId(), sightings.missedInLastPass()]).toEqual([16, 99, 1]);
  });

  it('gives the overlap of two passes, without samples', () => {
    const sightings = createSightings(blankCertificate('id'), null);
    sightings.beginPass('full');
    sightings.note(pageOf(ids(1, 900)));
    sightings.beginPass('sample');
    sightings.note(pageOf(ids(800, 950)));
    sightings.beginPass('full');
    sightings.note(pageOf(ids(101, 1_000)));
    // 900 and 900 with 800 in common: 12.5 more that neither saw.
    expect(sightings.estimate()).toMatchObject({ how: 'chapman' });
    expect(sightings.estimate().share).toBeCloseTo(12.48 / 1_012.48, 4);
  });

  it('gives what the middle of three passes missed, whatever came or went for good', () => {
    const sightings = createSightings(blankCertificate('id'), null);
    const [gone, came] = [ids(2_001, 2_300), ids(3_001, 3_300)];
    sightings.beginPass('full');
    sightings.note(pageOf([...ids(1, 1_000), ...gone]));
    sightings.beginPass('full');
    sightings.note(pageOf([...ids(1, 900), ...gone]));
    sightings.beginPass('full');
    sightings.note(pageOf([...ids(1, 1_000), ...came]));
    // 100 of the 1,000 that the first and the third saw: 0.1³.
    expect(sightings.estimate()).toMatchObject({ how: 'recapture' });
    expect(sightings.estimate().share).toBeCloseTo(0.001, 6);
  });
});
