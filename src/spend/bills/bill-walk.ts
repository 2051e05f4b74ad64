/**
 * The position of a sync, a JSON value: it walks over the pages of one range, first the whole window and then, if those
 * pages did not fit together, its parts one after another.
 */
export interface BillingWalk {
  /** 1: the whole window; 2: its parts. */
  round: 1 | 2;
  /** Start times in [from, to), ISO 8601; null: open. */
  from: string | null;
  to: string | null;
  /** Number of the last page before this walk. */
  afterPage: number;
  pages: number;
  rows: number;
  /** Rows of earlier parts. */
  rowsBefore: number;
  firstTotal: number | null;
  lastTotal: number | null;
  /** Token of the next page; null: it is the first page, or the walk has ended. */
  token: string | null;
  ended: boolean;
  /** An earlier token of this walk, to detect a cycle by Brent's algorithm. */
  anchor: string | null;
  /** Digests of the newest page and of all pages so far. */
  pageDigest: string;
  digest: string;
  /** Repetitions of the same page in a row. */
  samePages: number;
  /** Why its pages may not fit together; null: no sign of it. */
  moved: string | null;
  /** Most rows on one page so far in the sync. */
  capacity: number;
  /** Number of this attempt at the part, from 1, and the digest of the previous one. */
  attempt: number;
  digestBefore: string | null;
  /** Failed parts in a row. */
  failedParts: number;
}

/** What a walk needs to know about a page. */
export interface WalkedPage {
  rows: number;
  total: number | null;
  nextToken: string | null;
  /** Digest of its rows in order; '' if too few or unreadable to identify the page. */
  digest: string;
  /** Digest of all pages so far, including this one. */
  digestAfter: string;
  miscounted: boolean;
  /** Whether it has rows that start outside the requested range. */
  strays: boolean;
}

/** After this many repetitions of a page the market is taken to ignore the token. */
const maxSamePages = 2;

/** Returns a walk at the first page of a range. */
export function startWalk(
  range: { from: string | null; to: string | null },
  at: Pick<BillingWalk, 'round' | 'afterPage' | 'capacity' | 'rowsBefore' | 'failedParts'> & {
    attempt?: number;
    digestBefore?: string | null;
  },
): BillingWalk {
  return {
    attempt: 1,
    digestBefore: null,
    ...at,
    ...range,
    pages: 0,
    rows: 0,
    firstTotal: null,
    lastTotal: null,
    token: null,
    ended: false,
    anchor: null,
    pageDigest: '',
    digest: '',
    samePages: 0,
    moved: null,
  };
}

/** Returns the walk after its next page. */
export function advanceWalk(walk: BillingWalk, page: WalkedPage): BillingWalk {
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
    moved: walk.moved ?? findInconsistency(walk, page),
    capacity: Math.max(walk.capacity, page.rows),
  };
}

function findInconsistency(walk: BillingWalk, page: WalkedPage): string | null {
  if (page.miscounted) return "a response's count differs from its number of rows";
  // A whole window may overlap its neighbors; overlapping parts would count a row twice.
  if (page.strays && walk.round === 2) return 'a response had entries from outside the requested range';
  if (walk.pages > 0 && page.total !== walk.lastTotal) {
    return `the market's total went from ${said(walk.lastTotal)} to ${said(page.total)} between two pages`;
  }
  return null;
}

const said = (total: number | null): string => (total === null ? 'unknown' : String(total));

/** Whether the market repeats pages because it ignores the token. */
export const repeatsPages = (before: BillingWalk, after: BillingWalk): boolean =>
  (after.token !== null && after.token === before.anchor) || after.samePages >= maxSamePages;

/**
 * Returns why a finished walk may be incomplete; null: it holds every row of its range. One page shows one moment of
 * the market. Several pages are as good if the total stayed the same, no entry came twice and the row count matches the
 * total, or if the previous walk returned exactly the same.
 */
export function findDoubt(walk: BillingWalk, repeated: number): string | null {
  if (walk.lastTotal !== null && walk.rows !== walk.lastTotal) {
    return walk.moved ?? `the market says ${walk.lastTotal} entries and gave ${walk.rows}`;
  }
  if (walk.moved !== null) return walk.moved;
  if (walk.pages <= 1 || (walk.digestBefore !== null && walk.digest === walk.digestBefore)) return null;
  if (walk.lastTotal === null) return 'the market does not state the number of entries';
  return repeated > 0 ? `${repeated} entries are on more than one page` : null;
}

/** Returns the planned rows of a part: a page, with room for rows that arrive meanwhile; fewer with every attempt. */
export const rowsPerPart = ({ capacity }: { capacity: number }, attempt: number): number =>
  Math.max(1, Math.floor((capacity * 0.8) / 2 ** (attempt - 1)));
