import { onTestFinished } from 'vitest';
import { blankCertificate, type CoverageCertificate } from '../../src/core/coverage.ts';
import type { Log } from '../../src/core/log.ts';
import type { Offer, PricingType } from '../../src/core/offer.ts';
import type { BookAsk, CoveredBook } from '../../src/market/crawl-book.ts';
import type { MarketKind, Marketplace } from '../../src/market/marketplace.ts';
import { settingNames } from '../../src/market/setting-names.ts';

export const testKey = 'k3y-b4d/secret+value=="';

/** A market of a kind, opened without waits, and all that it logs. */
export function openKind(
  kind: MarketKind,
  { url, apiKey }: { url: string; apiKey: string | null },
): { market: Marketplace; lines: string[] } {
  const lines: string[] = [];
  const write = (fields: object, message: string): void => {
    lines.push(`${JSON.stringify(fields)} ${message}`);
  };
  const log: Log = { debug: write, info: write, warn: write, error: write };
  const names = settingNames('MARKET_MINE_');
  const prepared = kind.prepare({ dialect: null, names, searchesPerMinute: 6, maxBodyBytes: 16_000_000 });
  const market = prepared.open({
    ...{ url, apiKey, actApiKey: null, budget: 'free', log, sleep: async () => {} },
  });
  onTestFinished(() => market.close());
  return { market, lines };
}

/** What a reading took, in the order of taking; repriced offers as they are now. */
export interface ReadBook {
  offers: Offer[];
  certificate: CoverageCertificate;
  /** null: it failed. */
  covered: CoveredBook | null;
  /** null: it did not. */
  error: unknown;
}

/** Reads a whole book of a type; also returns what was thrown. */
export async function readBook(
  market: Marketplace,
  type: PricingType,
  ask: Partial<BookAsk> = {},
): Promise<ReadBook> {
  const taken = new Map<number, Offer>();
  const certificate = blankCertificate('id');
  let taking = 0;
  const keep = async (offers: Offer[]): Promise<void> => {
    for (const offer of offers) taken.set(offer.offerId, offer);
  };
  const outcome = await market
    .crawlBook({
      ...{ type, rentable: true, gpuNames: null, allocatedStorageGb: 8, certificate },
      sink: {
        take: async (offers) => {
          taking += offers.length;
          await keep(offers);
        },
        replace: keep,
      },
      ...{ knownGpuNames: async () => [], askAgain: (call) => call(), isTooLate: () => false },
      ...{ random: Math.random, log: { debug() {}, info() {}, warn() {}, error() {} } },
      ...ask,
    })
    .then(
      (covered) => ({ covered, error: null }),
      (error: unknown) => ({ covered: null, error }),
    );
  if (taking !== taken.size) throw new Error(`${taking} offers were taken under ${taken.size} ids`);
  return { offers: [...taken.values()], certificate, ...outcome };
}
