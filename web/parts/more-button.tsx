import { problemText } from '../core/api-client.ts';
import type { Pages } from '../core/use-pages.ts';

/** Fetches the next page of a list; nothing where there is none. */
export function MoreButton<T>({ pages }: { pages: Pages<T> }) {
  if (pages.more === null) return null;
  return (
    <p class="more">
      <button type="button" disabled={pages.loading} onClick={pages.more}>
        {pages.loading ? 'Loading …' : 'Show more'}
      </button>
      {pages.problem !== null && (
        <span class="failure" role="alert">
          {problemText(pages.problem)}
        </span>
      )}
    </p>
  );
}
