import { type MissingEstimate, partialReasons } from '../core/completeness.ts';
import type { CoverageCertificate, CoveragePass } from '../core/coverage.ts';
import type { PricingType } from '../core/offer.ts';

/** The part of a crawl that is put into words. */
export interface ExplainedCrawl {
  /** null: unknown. */
  type: PricingType | null;
  /** The scope's name. */
  scope: string;
  /** null: it is running. */
  outcome: 'complete' | 'partial' | 'failed' | 'unchanged' | null;
  /** Why it is partial or failed; null: neither. */
  reason: string | null;
  certificate: CoverageCertificate | null;
}

/**
 * Explains a crawl in plain sentences: what was requested, what was received, how certain it is that nothing is
 * missing, and what to do if something is. For an import, says what its importer declared.
 */
export function explainCertificate(crawl: ExplainedCrawl): string[] {
  const { certificate } = crawl;
  const wanted = `${scopeWords(crawl.scope)}${crawl.type === null ? '' : ` at ${crawl.type} prices`}`;
  if (certificate === null) return [`Requested: ${wanted}.`, ...endWords(crawl)];
  if (certificate.paging === 'none') {
    const rows = `${count(certificate.rows)} rows gave ${count(certificate.accepted)} offers`;
    return [
      `Imported: ${rows}. How much of the market they cover was declared, not proved.`,
      ...endWords(crawl),
    ];
  }
  return [
    `Requested: ${wanted}${certificate.pageLimit === null ? '' : `, ${count(certificate.pageLimit)} offers per page`}.`,
    ...pageWords(certificate),
    ...passWords(certificate),
    ...(certificate.paging === 'whole' ? [] : missingWords(certificate)),
    ...troubleWords(certificate),
    ...endWords(crawl),
  ];
}

function scopeWords(scope: string): string {
  if (scope === 'default') return 'all offers that can be rented now';
  if (scope === 'rented') return 'all offers that cannot be rented now';
  const models = scope.replace(/^models:/, '').split('|');
  return `all offers of ${models.join(', ')} that can be rented now`;
}

function pageWords({ pages, rows, accepted, paging, rowCap, apart }: CoverageCertificate): string[] {
  const how = {
    id: 'Pages were ordered by id, so a price that changed meanwhile hid no offer.',
    price:
      'The market cannot page by id, so pages were ordered by price: an offer that was repriced meanwhile may be missing.',
    whole: 'The market returns everything in one answer, so no offer is lost between pages.',
    none: '',
  }[paging];
  const cap =
    rowCap === null
      ? 'The market showed no limit on the size of an answer.'
      : `The market returns at most ${count(rowCap)} offers in one answer.`;
  const parts = {
    tiers: 'It ignores a list of verification tiers, so each tier was requested separately.',
    models: 'Its answers could not hold everything, so each GPU model was requested separately.',
  };
  return [
    `${count(pages)} pages had ${count(rows)} rows with ${count(accepted)} different offers.`,
    cap,
    how,
    ...(apart === null ? [] : [parts[apart]]),
  ];
}

const ordinals = ['First', 'Second', 'Third', 'Fourth', 'Fifth'];

function passWords({ passes, endConfirmed }: CoverageCertificate): string[] {
  const real = passes.filter(({ kind }) => kind !== 'probe');
  const parts = new Set(real.map(({ part }) => part)).size;
  const words = parts > 1 ? [partsWords(real, parts)] : wholeWords(real);
  if (endConfirmed) words.push('The last page was requested twice to confirm the end.');
  return words;
}

function wholeWords(passes: readonly CoveragePass[]): string[] {
  let full = 0;
  return passes.map(({ kind, pages, rows, unseen }) => {
    if (kind === 'sample') {
      return `Second request of a sample of the pages (${sizeWords(pages, rows)}): ${unseenWords(unseen)}.`;
    }
    full += 1;
    const which = ordinals[full - 1] ?? `${full}th`;
    const found = full === 1 ? `${count(unseen)} offers` : unseenWords(unseen);
    return `${which} pass over all pages (${sizeWords(pages, rows)}): ${found}.`;
  });
}

function partsWords(passes: readonly CoveragePass[], parts: number): string {
  const again = passes.filter((pass, index) =>
    passes.slice(0, index).some(({ part, kind }) => part === pass.part && kind === 'full'),
  );
  const unseen = again.reduce((sum, pass) => sum + pass.unseen, 0);
  return `${count(parts)} parts were read, each more than once. Later passes: ${unseenWords(unseen)}.`;
}

const sizeWords = (pages: number, rows: number): string =>
  `${count(pages)} ${pages === 1 ? 'page' : 'pages'}, ${count(rows)} rows`;

const unseenWords = (unseen: number): string =>
  unseen === 0 ? 'no new offers' : `${count(unseen)} new ${unseen === 1 ? 'offer' : 'offers'}`;

const estimateWords: Record<Exclude<MissingEstimate['how'], 'agreed'>, string> = {
  chapman: "Estimated from the overlap of the two passes (Chapman's estimator)",
  recapture: 'Estimated from offers that a pass missed, although they were seen before and after it',
};

function missingWords({
  estimate,
  estimatedMissingShare,
  missingShareAtMost,
}: CoverageCertificate): string[] {
  if (estimate === null || estimatedMissingShare === null || missingShareAtMost === null) {
    return ['How much is missing is unknown, because no second pass was finished.'];
  }
  const most = `at most ${percent(missingShareAtMost)} of the offers are missing`;
  if (estimate === 'agreed') {
    return [`A second request found nothing new${missingShareAtMost === 0 ? '' : `: ${most}`}.`];
  }
  const usual = `about ${percent(estimatedMissingShare)} of the offers are missing`;
  return [`${estimateWords[estimate]}: ${usual}, at most ${percent(missingShareAtMost)}.`];
}

function troubleWords({ rejected, leftOut, retries, throttles }: CoverageCertificate): string[] {
  return [
    ...reasonWords('Rows that could not be read', rejected),
    ...reasonWords('Left out', leftOut),
    ...(retries === 0 ? [] : [`${count(retries)} requests were retried.`]),
    ...(throttles === 0 ? [] : [`The market throttled ${count(throttles)} requests.`]),
  ];
}

function reasonWords(what: string, rowsByReason: Readonly<Record<string, number>>): string[] {
  const reasons = Object.entries(rowsByReason).map(([reason, rows]) => `${reason} (${count(rows)})`);
  return reasons.length === 0 ? [] : [`${what}: ${reasons.join(', ')}.`];
}

const moreSearches = 'Raise SEARCHES_PER_MINUTE if the market allows it, or MAX_BOOK_MINUTES.';
const largerPage = 'Raise search.pageLimit of the dialect, if the market allows larger pages.';

/** Advice for partial books, by reason. */
const advice: Record<keyof typeof partialReasons, string> = {
  tooSlow: moreSearches,
  tookTooLong: moreSearches,
  hidesOffers:
    'Crawl again. If it happens again, the market leaves offers out of its answers: run `offerbook doctor`.',
  stillNew: 'Crawl again when the market is quieter. This cannot happen on a market that pages by id.',
  onePrice: largerPage,
  noOrder: largerPage,
  unreadable: 'The market may have changed its records: run `offerbook doctor`.',
  empty: 'Check that the key may search: run `offerbook doctor`.',
  ignoresModels: 'This market cannot be searched model by model, so its books stay partial.',
};

function adviceFor(reason: string): string | undefined {
  const found = Object.entries(partialReasons).find(([, phrase]) => reason.includes(phrase));
  return found && advice[found[0] as keyof typeof advice];
}

function endWords({ outcome, reason }: ExplainedCrawl): string[] {
  if (outcome === null) return ['The crawl is running.'];
  if (outcome === 'complete') return ['The book is complete.'];
  if (outcome === 'unchanged') return ['The same book was stored already, so nothing changed.'];
  const verdict =
    outcome === 'partial'
      ? `The book is partial and changes no figure: ${reason}.`
      : `Nothing was stored: ${reason}`;
  const todo = adviceFor(reason ?? '');
  return outcome === 'partial' && todo !== undefined ? [verdict, todo] : [verdict];
}

const count = (value: number): string => value.toLocaleString('en-US');

/** Two significant digits. */
const percent = (share: number): string => `${Number((share * 100).toPrecision(2))}%`;
