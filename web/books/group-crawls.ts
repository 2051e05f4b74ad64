import type { Crawl } from '../core/api.ts';

/** Crawls that follow each other. */
export interface CrawlGroup<T> {
  /** null: a single crawl with a row of its own. */
  key: string | null;
  crawls: readonly T[];
}

/** Fewer rows of the first history stay as they are. */
const minGrouped = 3;

/**
 * Groups complete books of the first history that follow each other, so that crawls of the market and whatever failed
 * are seen first. The chosen crawl keeps its own row.
 */
export function groupCrawls<T extends Pick<Crawl, 'id' | 'cause' | 'outcome'>>(
  items: readonly T[],
  chosen: string | null,
): CrawlGroup<T>[] {
  const runs: T[][] = [];
  const isSeeded = ({ id, cause, outcome }: T): boolean =>
    cause === 'seed' && outcome === 'complete' && id !== chosen;
  for (const item of items) {
    const last = runs.at(-1);
    if (last?.[0] !== undefined && isSeeded(last[0]) && isSeeded(item)) last.push(item);
    else runs.push([item]);
  }
  return runs.flatMap((crawls): CrawlGroup<T>[] => {
    const [first] = crawls;
    if (first !== undefined && crawls.length >= minGrouped) return [{ key: first.id, crawls }];
    return crawls.map((crawl) => ({ key: null, crawls: [crawl] }));
  });
}
