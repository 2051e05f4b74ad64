/**
 * Where a sync stands, a JSON value: a walk over the pages of one range, first of the whole window, and where
 * those did not fit together, of its parts one after the other.
 */
export interface BillingWalk {
  /** 1: the whole window; 2: its parts. */
  round: 1 | 2;
  /** The range of starts, ISO 8601, the first included, the last not; null: open. */
  from: string | null;
  to: string | null;
  /** Number of the sync's page before its first one. */
  afterPage: number;
  pages: number;
  rows: number;
  /** Rows of the parts before this one. */
  rowsBefore: number;
  firstTotal: number | null;
  lastTotal: number | null;
  /** What the next page is asked with; null: it is the first, or the walk has ended. */
  token: string | null;
  ended: boolean;
  /** A token of this walk that later ones are compared with: Brent's way to find a circle with one memory. */
  anchor: string | null;
  /** Of the newest page and of all so far. */
  pageDigest: string;
  digest: string;
  /** Pages in a row that were the one before again. */
  samePages: number;
  /** Why its pages may not fit together; null: nothing speaks against it. */
  moved: string | null;
  /** Most rows that a page has had, over the sync. */
  capacity: number;
  /** Attempts at this part, from 1, and the digest of the one before. */
  attempt: number;
  digestBefore: string | null;
  /** Parts in a row that failed. */
  failedParts: number;
}

/** A page as far as a walk is concerned. */
export interface WalkedPage {
  rows: number;
  total: number | null;
  nextToken: string | null;
  /** Of its rows in their order; '' where they are too few or unreadable to know the page by them. */
  digest: string;
  /** The digest of everything so far with this page's. */
  digestAfter: string;
  miscounted: boolean;
  /** Has rows that start outside the range asked for. */
  strays: boolean;
}

/** The same page this often in a row, and the market does not hear the token. */
const maxSamePages = 2;

/** A walk from the first page of a range. */
export function startWalk(
  range: { from: string | null; to: string | null },
  at: Pick<BillingWalk, 'round' | 'afterPage' | 'capacity' | 'rowsBefore' | 'failedParts'> & {
    attempt?: number;
    digestBefore?: string | null;
  },
): BillingWalk {
  return {
    ...{ attempt: 1, digestBefore: null, ...at, ...range },
    ...{ pages: 0, rows: 0, firstTotal: null, lastTotal: null, token: null, ended: false, anchor: null },
    ...{ pageDigest: '', digest: '', samePages: 0, moved: null },
  };
}

/** The walk after its next page. */
export function walkOn(walk: BillingWalk, page: WalkedPage): BillingWalk {
  const isFirst = walk.pages === 0;
  const pages = walk.pages + 1;
  const isSame = page.digest !== '' && page.digest === walk.pageDigest;
  const isPowerOfTwo = (pages & (pages - 1)) === 0;
  return {
    ...walk,
    pages,
    rows: walk.rows + page.rows,
    firstTotal: isFirst ? page.total : walk.firstTotal,
    lastTotal: page.total,
    token: page.nextToken,
    ended: page.nextToken === null,
    anchor: isPowerOfTwo ? page.nextToken : walk.anchor,
    pageDigest: page.digest,
    digest: page.digestAfter,
    samePages: isSame ? walk.samePages + 1 : 0,
    moved: walk.moved ?? findMove(walk, page),
    capacity: Math.max(walk.capacity, page.rows),
  };
}

function findMove(walk: BillingWalk, page: WalkedPage): string | null {
  if (page.miscounted) return 'an answer counted other rows than it held';
  // A whole window may reach into its neighbours; parts that do would give a row twice.
  if (page.strays && walk.round === 2) return 'an answer held entries from outside the range asked for';
  if (walk.pages > 0 && page.total !== walk.lastTotal) {
    return `the market's total went from ${said(walk.lastTotal)} to ${said(page.total)} between two pages`;
  }
  return null;
}

const said = (total: number | null): string => (total === null ? 'unknown' : String(total));

/** Whether the market gives pages that it has given already: it does not hear the token. */
export const goesInCircles = (before: BillingWalk, after: BillingWalk): boolean =>
  (after.token !== null && after.token === before.anchor) || after.samePages >= maxSamePages;

/**
 * Why a walk that has ended cannot be relied on; null: it holds every row of its range. One page is one moment of
 * the market. Several are as good where its total stood still, no entry came on two of them and the rows are as
 * many as it says, or where the walk before gave the very same.
 */
export function findDoubt(walk: BillingWalk, repeated: number): string | null {
  if (walk.lastTotal !== null && walk.rows !== walk.lastTotal) {
    return walk.moved ?? `the market says ${walk.lastTotal} entries and gave ${walk.rows}`;
  }
  if (walk.moved !== null) return walk.moved;
  if (walk.pages <= 1 || (walk.digestBefore !== null && walk.digest === walk.digestBefore)) return null;
  if (walk.lastTotal === null) return 'the market does not say how many entries there are';
  return repeated > 0 ? `${repeated} entries came on more than one page` : null;
}

/** Rows that a part is planned for: a page, with room for what arrives meanwhile; less with every attempt. */
export const rowsPerPart = ({ capacity }: { capacity: number }, attempt: number): number =>
  Math.max(1, Math.floor((capacity * 0.8) / 2 ** (attempt - 1)));
