import { listLowestVerdicts } from '../../client/operations.js';
import type { LowestVerdict, LowestVerdicts, Market, Status } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { countOf, formatFixed, priceDecimals } from '../core/figures.ts';
import { pathTo } from '../core/path-to.ts';
import { type Answer, useAnswer } from '../core/use-answer.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Explain, explainQuery } from '../parts/explain.tsx';
import { Awaited, LoadingNotice, Notice, ProblemNotice } from '../parts/notice.tsx';
import { PinButton } from '../parts/pin-button.tsx';
import { VerdictMark } from '../parts/verdict-mark.tsx';

const maxPinned = 8;
const maxListed = 4;

interface Props {
  app: App;
  status: Status | null;
  market: Answer<Market>;
}

/** The cheapest offer of each pinned model with its verdict; without pinned models, of the most listed ones. */
export function BestDeals({ app, status, market }: Props) {
  const own = status?.market.name ?? null;
  const pinned = own === null ? [] : app.pinned.of(own);
  const models = pinned.length > 0 ? pinned.slice(0, maxPinned) : mostListed(market.data);
  const answer = useAnswer(
    app,
    own === null || models.length === 0 ? null : pathTo(listLowestVerdicts, { gpuName: models }),
    app.landed.value,
  );
  return (
    <section class="card" aria-label="Best deals" id="best-deals">
      {models.length === 0 ? (
        <NoModels market={market} />
      ) : (
        <Awaited answer={answer} what="the best deals">
          {({ items }: LowestVerdicts) => (
            <>
              <h2>
                <a href={`/deals?${named(models)}&by=usdPerGpuHour`}>Best deals</a>
                <small>
                  {pinned.length > 0
                    ? `of ${countOf(pinned.length, 'pinned model')}`
                    : `of the ${countOf(models.length, 'most listed model')}`}
                </small>
              </h2>
              <Deals
                app={app}
                items={items.filter(({ gpuName }) => models.includes(gpuName))}
                own={own ?? ''}
              />
              {pinned.length === 0 && (
                <p class="caption">Pin the models that you rent: they are then shown here.</p>
              )}
              {pinned.length > maxPinned && <p class="caption">The {maxPinned} pinned first.</p>}
            </>
          )}
        </Awaited>
      )}
    </section>
  );
}

function NoModels({ market: { data, problem, reload } }: { market: Answer<Market> }) {
  if (data !== null) return <Notice title="No offers yet">Deals appear with the first book.</Notice>;
  if (problem !== null) return <ProblemNotice problem={problem} retry={reload} />;
  return <LoadingNotice what="the best deals" />;
}

function Deals({ app, items, own }: { app: App; items: readonly LowestVerdict[]; own: string }) {
  const decimals = Math.min(4, priceDecimals(items.map(({ lowest }) => lowest?.usdPerGpuHour ?? null)));
  return (
    <DataTable
      label="Best deals by model"
      rows={items}
      keyOf={({ gpuName }) => gpuName}
      columns={[
        {
          head: 'GPU',
          heads: true,
          cell: ({ gpuName, offers }) => (
            <>
              <PinButton app={app} market={own} gpuName={gpuName} />
              <a href={`/deals?${named([gpuName])}&by=usdPerGpuHour`}>{gpuName}</a>
              <small class="words soft">{countOf(offers, 'offer')}</small>
            </>
          ),
        },
        {
          head: 'Lowest',
          unit: '$/GPU-hour',
          title: 'Cheapest offer without outliers, with 8 GB of storage',
          number: true,
          field: 'lowest',
          value: ({ lowest }) => lowest?.usdPerGpuHour,
          cell: ({ gpuName, type, lowest }) =>
            lowest === null ? (
              '–'
            ) : (
              <Explain query={explainQuery('lowest', { gpuName, type })}>
                {formatFixed(lowest.usdPerGpuHour, decimals)}
              </Explain>
            ),
        },
        {
          head: 'Verdict',
          cell: ({ lowest }) =>
            lowest === null ? 'not listed now' : <VerdictMark verdict={lowest.verdict} />,
        },
        {
          head: 'Actions',
          actions: true,
          cell: ({ gpuName, lowest }) =>
            lowest !== null && (
              <a
                class="button small"
                href={`/listings/${lowest.listingId}`}
                aria-label={`Listing of ${gpuName}`}
              >
                Listing
              </a>
            ),
        },
      ]}
    />
  );
}

/** Returns the models with the most GPUs listed. */
const mostListed = (market: Market | null): string[] =>
  (market?.items ?? [])
    .toSorted((a, b) => b.gpus - a.gpus)
    .slice(0, maxListed)
    .map(({ gpuName }) => gpuName);

const named = (models: readonly string[]): string =>
  new URLSearchParams(models.map((name) => ['gpuName', name])).toString();
