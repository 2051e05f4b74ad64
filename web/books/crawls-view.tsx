import { useState } from 'preact/hooks';
import { getCrawl, getStatus, listCrawls } from '../../client/operations.js';
import type { Crawl } from '../core/api.ts';
import { problemOf, problemText } from '../core/api-client.ts';
import type { App } from '../core/app.ts';
import { countOf } from '../core/figures.ts';
import { pathTo } from '../core/path-to.ts';
import { crawling, reasonFor } from '../core/permission.ts';
import { programCommand } from '../core/program-command.ts';
import { sentenceCase } from '../core/sentence-case.ts';
import { useAnswer } from '../core/use-answer.ts';
import { usePages } from '../core/use-pages.ts';
import { Allowed } from '../parts/allowed.tsx';
import { Select } from '../parts/choice.tsx';
import { isMissing } from '../parts/missing.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { Awaited, LoadingNotice, Notice, ProblemNotice } from '../parts/notice.tsx';
import type { ViewProps } from '../parts/view.ts';
import { ViewHead } from '../parts/view-head.tsx';
import { CrawlTable } from './crawl-table.tsx';
import { FailedJobs } from './failed-jobs.tsx';
import { Health, Markets } from './market-health.tsx';

/** Crawls view: data age, schedule, and every crawl with its explained certificate. */
export function CrawlsView({ app, status }: ViewProps) {
  const { query, path } = app.address.place.value;
  const outcome = query.get('outcome');
  const market = query.get('market');
  const markets = status?.markets ?? [];
  const other = useAnswer(app, market === null ? null : pathTo(getStatus, { market }), status);
  const shown = market === null ? status : other.data;
  const asked = { limit: 25, outcome: outcome ?? undefined, market: market ?? undefined };
  const answer = useAnswer(app, pathTo(listCrawls, asked), app.landed.value);
  const pages = usePages(app, answer);
  const chosen = path.split('/')[2] ?? null;
  const { items, isAwaited, problem } = useChosen(app, answer.data === null ? null : pages.items, chosen);
  return (
    <>
      <ViewHead title="Crawls and health">
        <div class="choosers">
          {markets.length > 1 && (
            <Select
              label="Market"
              name="market"
              value={market ?? ''}
              options={markets.map((each, place) => ({
                value: place === 0 ? '' : each.market,
                label: each.market,
              }))}
              choose={(value) => app.address.change({ market: value })}
            />
          )}
          <Select
            label="Outcome"
            name="outcome"
            value={outcome ?? ''}
            options={[
              { value: '', label: 'All' },
              ...['complete', 'partial', 'failed', 'unchanged'].map((value) => ({
                value,
                label: sentenceCase(value),
              })),
            ]}
            choose={(value) => app.address.change({ outcome: value })}
          />
          <Allowed app={app} permission={crawling}>
            <CrawlNow app={app} market={market} reload={answer.reload} />
          </Allowed>
        </div>
      </ViewHead>
      {markets.length > 1 && <Markets markets={markets} />}
      {shown !== null && <Health status={shown} minutesSince={app.minutesSinceStatus.value} />}
      {status !== null && <FailedJobs app={app} count={status.failedJobs} />}
      <section class="card" aria-label="Crawls" id="crawl-list">
        {isAwaited ? (
          <LoadingNotice what="the crawl" />
        ) : (
          <Awaited answer={answer} what="the crawls">
            {() => (
              <>
                {problem !== null &&
                  (isMissing({ data: null, problem }) ? (
                    <Notice title="Crawl not found">
                      Its book or its market may have been deleted. See <a href="/crawls">all crawls</a>.
                    </Notice>
                  ) : (
                    <ProblemNotice problem={problem} />
                  ))}
                {items.length === 0 ? (
                  <Notice title="No crawl yet">
                    {reasonFor(app, crawling) === null ? 'Crawl now, or import' : 'Import'} recorded books
                    with <code>{programCommand} import</code>.
                  </Notice>
                ) : (
                  <CrawlTable app={app} items={items} chosen={chosen} />
                )}
                <MoreButton pages={pages} />
              </>
            )}
          </Awaited>
        )}
      </section>
    </>
  );
}

/** Returns the crawls of a list (null: not loaded yet), followed by the selected one if that is older. */
function useChosen(app: App, listed: readonly Crawl[] | null, chosen: string | null) {
  const isElsewhere = chosen !== null && listed !== null && !listed.some(({ id }) => id === chosen);
  const answer = useAnswer(app, isElsewhere ? pathTo(getCrawl, { id: chosen }) : null);
  const found = isElsewhere && answer.data?.id === chosen ? [answer.data] : [];
  const problem = isElsewhere ? answer.problem : null;
  return {
    items: [...found, ...(listed ?? [])],
    isAwaited: isElsewhere && found.length === 0 && problem === null,
    problem,
  };
}

function CrawlNow({ app, market, reload }: { app: App; market: string | null; reload: () => void }) {
  const [busy, setBusy] = useState(false);
  async function crawl(): Promise<void> {
    setBusy(true);
    try {
      const { crawlIds } = await app.api.startCrawl({ body: market === null ? {} : { market } });
      app.say(`${countOf(crawlIds.length, 'crawl')} queued. The page updates when the new books arrive.`);
      app.expectBooks();
      reload();
    } catch (error) {
      app.say(problemText(problemOf(error)));
    }
    setBusy(false);
  }
  return (
    <button type="button" class="end" disabled={busy} onClick={() => void crawl()}>
      Crawl now
    </button>
  );
}
