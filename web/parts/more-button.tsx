import { problemText } from '../core/api-client.ts';
import type { Pages } from '../core/use-pages.ts';

/** Loads the next page of a list; empty on the last one. */
export function MoreButton<T>({ pages }: { pages: Pages<T> }) {
  if (pages.more === null) return null;
  return (
    <p class="more">
      <button type="button" disabled={pages.loading} onClick={pages.more}>
        {pages.loading ? 'Loading…' : 'Show more'}
      </button>
      {pages.problem !== null && (
        <span class="failure" role="alert">
          {problemText(pages.problem)}
        </span>
      )}
    </p>
  );
}
