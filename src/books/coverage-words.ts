import { type CoverageCertificate, type CoveragePass, partialReasons } from '../core/coverage.ts';
import type { MissingEstimate } from '../core/missing-share.ts';
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
 * Explains a crawl in plain sentences: what was requested, what came, how certain it is that nothing is missing, and
 * what to do otherwise. For an import what it declared.
 */
export function explainCertificate(crawl: ExplainedCrawl): string[] {
  const { certificate } = crawl;
  const wanted = `${scopeWords(crawl.scope)}${crawl.type === null ? '' : ` at ${crawl.type} prices`}`;
  if (certificate === null) return [`Asked for: ${wanted}.`, ...endWords(crawl)];
  if (certificate.paging === 'none') {
    const rows = `${count(certificate.rows)} rows gave ${count(certificate.accepted)} offers`;
    return [
      `Recorded elsewhere: ${rows}. How much of the market they are was declared, not proved.`,
      ...endWords(crawl),
    ];
  }
  return [
    `Asked for: ${wanted}${certificate.pageLimit === null ? '' : `, ${count(certificate.pageLimit)} offers a page`}.`,
    ...pageWords(certificate),
    ...passWords(certificate),
    ...(certificate.paging === 'whole' ? [] : missingWords(certificate)),
    ...troubleWords(certificate),
    ...endWords(crawl),
  ];
}

function scopeWords(scope: string): string {
  if (scope === 'default') return 'every offer that can be rented now';
  if (scope === 'rented') return 'every offer that cannot be rented now';
  const models = scope.replace(/^models:/, '').split('|');
  return `every offer of ${models.join(', ')} that can be rented now`;
}

function pageWords({ pages, rows, accepted, paging, rowCap, apart }: CoverageCertificate): string[] {
  const how = {
    id: 'Pages went by id, so that a price that changes meanwhile loses no offer.',
    price:
      'The market does not page by id, so pages went by price: an offer that is repriced meanwhile can be missed.',
    whole: 'The market gives everything in one answer: no offer is lost between pages.',
    none: '',
  }[paging];
  const cap =
    rowCap === null
      ? 'No limit of the market on the size of an answer showed.'
      : `The market gives at most ${count(rowCap)} offers in an answer, whatever is asked for.`;
  const parts = {
    tiers: 'It ignores a list of verification tiers, so each tier was asked for by itself.',
    models: 'Not everything fitted into its answers, so each GPU model was asked for by itself.',
  };
  return [
    `${count(pages)} pages gave ${count(rows)} rows, of which ${count(accepted)} are different offers.`,
    cap,
    how,
    ...(apart === null ? [] : [parts[apart]]),
  ];
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth'];

function passWords({ passes, endConfirmed }: CoverageCertificate): string[] {
  const real = passes.filter(({ kind }) => kind !== 'probe');
  const parts = new Set(real.map(({ part }) => part)).size;
  const words = parts > 1 ? [partsWords(real, parts)] : wholeWords(real);
  if (endConfirmed) words.push('The end was confirmed by asking for it a second time.');
  return words;
}

function wholeWords(passes: readonly CoveragePass[]): string[] {
  let full = 0;
  return passes.map(({ kind, pages, rows, unseen }) => {
    if (kind === 'sample') {
      return `A sample of the pages was asked for again (${sizeWords(pages, rows)}): ${unseenWords(unseen)}.`;
    }
    full += 1;
    const which = ordinals[full - 1] ?? `${full}th`;
    const found = full === 1 ? `${count(unseen)} offers` : unseenWords(unseen);
    return `The ${which} pass over all pages (${sizeWords(pages, rows)}): ${found}.`;
  });
}

function partsWords(passes: readonly CoveragePass[], parts: number): string {
  const again = passes.filter((pass, index) =>
    passes.slice(0, index).some(({ part, kind }) => part === pass.part && kind === 'full'),
  );
  const unseen = again.reduce((sum, pass) => sum + pass.unseen, 0);
  return `${count(parts)} parts were read, each more than once: later passes found ${unseenWords(unseen)}.`;
}

const sizeWords = (pages: number, rows: number): string =>
  `${count(pages)} ${pages === 1 ? 'page' : 'pages'}, ${count(rows)} rows`;

const unseenWords = (unseen: number): string =>
  unseen === 0 ? 'nothing that was new' : `${count(unseen)} that ${unseen === 1 ? 'was' : 'were'} new`;

const estimateWords: Record<Exclude<MissingEstimate['how'], 'agreed'>, string> = {
  chapman: "By what the two passes have in common (Chapman's estimator)",
  recapture: 'By what a pass lacks of the offers seen before and after it',
};

function missingWords({
  estimate,
  estimatedMissingShare,
  missingShareAtMost,
}: CoverageCertificate): string[] {
  if (estimate === null || estimatedMissingShare === null || missingShareAtMost === null) {
    return ['How much is missing is not known: no second pass was finished.'];
  }
  const most = `at most ${percent(missingShareAtMost)} of the offers are missing`;
  if (estimate === 'agreed') {
    return [`Asked again, the market showed nothing new${missingShareAtMost === 0 ? '' : `: ${most}`}.`];
  }
  const usual = `about ${percent(estimatedMissingShare)} of the offers are missing`;
  return [`${estimateWords[estimate]}: ${usual}, at most ${percent(missingShareAtMost)}.`];
}

function troubleWords({ rejected, leftOut, retries, throttles }: CoverageCertificate): string[] {
  return [
    ...reasonWords('Rows that could not be read', rejected),
    ...reasonWords('Left out', leftOut),
    ...(retries === 0 ? [] : [`${count(retries)} requests had to be repeated.`]),
    ...(throttles === 0 ? [] : [`The market asked ${count(throttles)} times for fewer requests.`]),
  ];
}

function reasonWords(what: string, rowsByReason: Readonly<Record<string, number>>): string[] {
  const reasons = Object.entries(rowsByReason).map(([reason, rows]) => `${reason} (${count(rows)})`);
  return reasons.length === 0 ? [] : [`${what}: ${reasons.join(', ')}.`];
}

const moreSearches = 'Raise SEARCHES_PER_MINUTE if the market allows it, or MAX_BOOK_MINUTES.';
const largerPage = 'Ask for a larger page (search.pageLimit of the dialect), if the market gives one.';

/** Advice for partial books by what their reason says. */
const advice: Record<keyof typeof partialReasons, string> = {
  tooSlow: moreSearches,
  tookTooLong: moreSearches,
  hidesOffers:
    'Crawl again; if it stays so, the market leaves offers out of its answers: `offerbook doctor` tells more.',
  stillNew: 'Crawl again when the market is quieter.',
  onePrice: largerPage,
  noOrder: largerPage,
  unreadable: 'The market may have changed its records: `offerbook doctor` shows which.',
  empty: 'Check that the key may search: `offerbook doctor`.',
  ignoresModels: 'This market cannot be searched model by model, so its books stay partial.',
};

function adviceFor(reason: string): string | undefined {
  const found = Object.entries(partialReasons).find(([, phrase]) => reason.includes(phrase));
  return found && advice[found[0] as keyof typeof advice];
}

function endWords({ outcome, reason }: ExplainedCrawl): string[] {
  if (outcome === null) return ['The crawl is under way.'];
  if (outcome === 'complete') return ['The book is complete.'];
  if (outcome === 'unchanged') return ['The same book was stored already; nothing changed.'];
  const verdict =
    outcome === 'partial'
      ? `The book is partial and moves no figure: ${reason}.`
      : `Nothing was stored: ${reason}`;
  const todo = adviceFor(reason ?? '');
  return outcome === 'partial' && todo !== undefined ? [verdict, todo] : [verdict];
}

const count = (value: number): string => value.toLocaleString('en-US');

/** Two significant digits. */
const percent = (share: number): string => `${Number((share * 100).toPrecision(2))}%`;
