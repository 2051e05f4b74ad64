import { hrefOf } from '../../core/address.ts';
import type { App } from '../../core/app.ts';
import { choiceNames, pickParameters } from '../../parts/filter-fields.ts';

/** Leads back to Deals with its filters; to the same row, if the reader came from there. */
export function BackToDeals({ app: { address }, query }: { app: App; query: URLSearchParams }) {
  const from = address.cameFrom();
  const isBack = from?.startsWith('/deals') === true;
  return (
    <a
      class="button back"
      href={isBack ? from : hrefOf('/deals', pickParameters(query, choiceNames))}
      onClick={(event) => {
        if (!isBack || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        address.back();
      }}
    >
      Back to Deals
    </a>
  );
}
