import { describe, expect, it } from 'vitest';
import { explainCertificate } from '../../src/books/coverage-words.ts';
import { blankCertificate, type CoverageCertificate } from '../../src/core/coverage.ts';

const certificate = (fields: Partial<CoverageCertificate>): CoverageCertificate => ({
  ...blankCertificate('id'),
  pageLimit: 10_000,
  ...{ pages: 18, rows: 51_270, accepted: 25_080, rowCap: 5_000, endConfirmed: true },
  ...fields,
});
const crawl = { type: 'bid', scope: 'default', outcome: 'complete', reason: null } as const;

describe('a certificate in words', () => {
  it('says what was requested, what came, how the passes went and how much is missing at most', () => {
    const words = explainCertificate({
      ...crawl,
      certificate: certificate({
        passes: [
          { kind: 'full', part: null, pages: 7, rows: 25_000, unseen: 25_000 },
          { kind: 'sample', part: null, pages: 3, rows: 5_200, unseen: 4 },
          { kind: 'full', part: null, pages: 7, rows: 25_010, unseen: 76 },
        ],
        ...{ estimate: 'chapman', estimatedMissingShare: 0.000_001_2, missingShareAtMost: 0.000_21 },
      }),
    });
    expect(words).toEqual([
      'Requested: all offers that can be rented now at bid prices, 10,000 offers per page.',
      '18 pages had 51,270 rows with 25,080 different offers.',
      'The market returns at most 5,000 offers in one answer.',
      'Pages were ordered by id, so a price that changed meanwhile hid no offer.',
      'First pass over all pages (7 pages, 25,000 rows): 25,000 offers.',
      'Second request of a sample of the pages (3 pages, 5,200 rows): 4 new offers.',
      'Second pass over all pages (7 pages, 25,010 rows): 76 new offers.',
      'The last page was requested twice to confirm the end.',
      "Estimated from the overlap of the two passes (Chapman's estimator): about 0.00012% of the offers are missing, at most 0.021%.",
      'The book is complete.',
    ]);
  });

  it('says how much can be missing from a market whose passes find nothing new', () => {
    const agreed = { estimate: 'agreed', estimatedMissingShare: 0 } as const;
    const wordsAt = (missingShareAtMost: number) =>
      explainCertificate({ ...crawl, certificate: certificate({ ...agreed, missingShareAtMost }) });
    expect(wordsAt(0.0009)).toContain(
      'A second request found nothing new: at most 0.09% of the offers are missing.',
    );
    expect(wordsAt(0)).toContain('A second request found nothing new.');
  });

  it('says why a book is partial and what to do', () => {
    const reason = 'the answers hide offers: up to 1.8% of them may be missing';
    const words = explainCertificate({
      ...{ ...crawl, scope: 'models:H100 SXM|RTX 5090', outcome: 'partial', reason },
      certificate: certificate({ paging: 'price', rowCap: null, apart: 'models', endConfirmed: false }),
    });
    expect(words[0]).toMatch(/^Requested: all offers of H100 SXM, RTX 5090 that can be rented now at bid/);
    expect(words.at(-2)).toBe(`The book is partial and changes no figure: ${reason}.`);
    expect(words.at(-1)).toMatch(/offerbook doctor/);
    expect(words).toContain('How much is missing is unknown, because no second pass was finished.');
  });

  it('says what an import declared, and what failed', () => {
    const imported = explainCertificate({
      ...{ ...crawl, certificate: { ...blankCertificate('none'), rows: 12, accepted: 12 } },
    });
    expect(imported).toEqual([
      'Imported: 12 rows gave 12 offers. How much of the market they cover was declared, not proved.',
      'The book is complete.',
    ]);
    const failed = { ...crawl, outcome: 'failed', reason: 'The market does not answer.' } as const;
    expect(explainCertificate({ ...failed, certificate: null })).toEqual([
      'Requested: all offers that can be rented now at bid prices.',
      'Nothing was stored: The market does not answer.',
    ]);
  });
});
