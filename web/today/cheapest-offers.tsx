import { listLowestVerdicts } from '../../client/operations.js';
import type { LowestVerdict, LowestVerdicts, RankingGroups, Status } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { hoursUntilEnd } from '../core/ending-words.ts';
import { countOf, formatPrice } from '../core/figures.ts';
import { defaultMetric } from '../core/metrics.ts';
import { useOwnNow } from '../core/own-time.ts';
import { pathTo, valuesOf } from '../core/path-to.ts';
import { type Answer, useAnswer } from '../core/use-answer.ts';
import { checkingWords } from '../core/wait-words.ts';
import { DataTable } from '../parts/data-table.tsx';
import { EndingTag } from '../parts/ending-tag.tsx';
import { Explain, explainQuery } from '../parts/explain.tsx';
import { choiceNames } from '../parts/filter-fields.ts';
import { Awaited, LoadingNotice, Notice, ProblemNotice } from '../parts/notice.tsx';
import { PinButton } from '../parts/pin-button.tsx';
import { Term } from '../parts/term.tsx';
import { TimingMark } from '../parts/verdict-mark.tsx';
import { quickModels } from '../prices/deals/quick-models.tsx';
import { modelsPath } from '../prices/deals/ranking-request.ts';
import {
  askedQuery,
  canBeReliable,
  countInSet,
  type OfferSet,
  offerSet,
  statedTrust,
} from '../prices/deals/reliable-query.ts';

const maxPinned = 8;
const maxListed = 4;

interface Props {
  app: App;
  status: Status | null;
}

/** The cheapest reliable offer of each pinned model with its verdict; without pinned models, of those with the most. */
export function CheapestOffers({ app, status }: Props) {
  const own = status?.market.name ?? null;
  const pinned = own === null ? [] : app.pinned.of(own);
  // As Deals asks at first.
  const trust = statedTrust(new URLSearchParams(), app.markets.value, status);
  const asked = askedQuery(new URLSearchParams(), trust);
  const groups = useAnswer(
    app,
    own === null || pinned.length > 0 ? null : modelsPath(asked),
    app.landed.value,
  );
  const models =
    pinned.length > 0
      ? pinned.slice(0, maxPinned)
      : quickModels(groups.data?.groups ?? [], [])
          .slice(0, maxListed)
          .map(({ gpuName }) => gpuName);
  const answer = useAnswer(
    app,
    own === null || models.length === 0
      ? null
      : pathTo(listLowestVerdicts, { ...valuesOf(asked, choiceNames), gpuName: models }),
    app.landed.value,
  );
  return (
    <section
      class="card"
      aria-label="Cheapest offers"
      id="cheapest-offers"
      style={{ '--models': models.length || maxListed }}
    >
      {models.length === 0 ? (
        <NoModels groups={groups} />
      ) : (
        <Awaited answer={answer} what="the cheapest offers">
          {({ items }: LowestVerdicts) => (
            <>
              <h2>
                <a href={`/deals?${named(models)}&by=usdPerGpuHour`}>Cheapest offers</a>
                <small>
                  {models.length > 1 && 'one for each '}
                  {pinned.length > 0
                    ? `of ${countOf(models.length, 'pinned model')}`
                    : `of the ${countOf(models.length, 'model')} with the most offers`}
                  {canBeReliable(trust) && ', reliable offers only'}
                </small>
              </h2>
              <Deals
                app={app}
                items={models.flatMap((name) => items.filter(({ gpuName }) => gpuName === name))}
                own={own ?? ''}
                asked={asked}
                set={offerSet(new URLSearchParams(), trust)}
                isChecking={answer.loading}
              />
              <p class="caption">
                Prices with 8 GB of disk, outliers left out. Any number of GPUs counts, and each offer is
                rented whole; Deals lets you choose the number. Now: the model’s lowest price beside its
                earlier ones, so whether it is a <Term word="good time" /> to rent; which machine is cheap
                beside others, Deals says.
                {canBeReliable(trust) && (
                  <>
                    {' '}
                    Only <Term word="reliable offers" /> are counted.
                  </>
                )}
                {pinned.length === 0 && ' Pin the models that you rent: they are then shown here.'}
              </p>
              {pinned.length > maxPinned && <p class="caption">The {maxPinned} pinned first.</p>}
            </>
          )}
        </Awaited>
      )}
    </section>
  );
}

function NoModels({ groups: { data, problem, reload } }: { groups: Answer<RankingGroups> }) {
  if (data !== null) return <Notice title="No offers yet">Deals appear with the first book.</Notice>;
  if (problem !== null) return <ProblemNotice problem={problem} retry={reload} />;
  return <LoadingNotice what="the cheapest offers" />;
}

interface DealsProps {
  app: App;
  items: readonly LowestVerdict[];
  own: string;
  /** The filters of the offers. */
  asked: URLSearchParams;
  set: OfferSet;
  /** Whether a newer answer is awaited: until then nobody is told that there is too little history. */
  isChecking: boolean;
}

function Deals({ app, items, own, asked, set, isChecking }: DealsProps) {
  const now = useOwnNow();
  return (
    <DataTable
      label="Cheapest offers by model"
      stacks
      rows={items}
      keyOf={({ gpuName }) => gpuName}
      columns={[
        {
          head: 'GPU',
          heads: true,
          cell: ({ gpuName, offers, lowest, observedAt }) => (
            <>
              <PinButton app={app} market={own} gpuName={gpuName} />
              <a href={`/deals?${named([gpuName])}`}>{gpuName}</a>
              {lowest !== null && (
                <>
                  <span class="times"> × {lowest.numGpus}</span>{' '}
                  <EndingTag left={hoursUntilEnd(lowest.maxDurationHours, observedAt, now)} asked={asked} />
                </>
              )}
              <small class="words soft">{countInSet(offers, set)}</small>
            </>
          ),
        },
        {
          head: `Lowest${set === 'reliable' ? ' reliable' : ''}`,
          unit: '$/GPU-hour',
          title: 'Cheapest offer without outliers, with 8 GB of disk',
          number: true,
          field: 'lowest',
          value: ({ lowest }) => lowest?.usdPerGpuHour,
          cell: ({ gpuName, type, lowest }) =>
            lowest === null ? (
              '–'
            ) : (
              <Explain
                query={explainQuery(
                  'ranking',
                  { listingId: lowest.listingId, gpuName, type, by: defaultMetric },
                  asked,
                )}
              >
                {formatPrice(lowest.usdPerGpuHour)}
              </Explain>
            ),
        },
        {
          head: 'Machine',
          unit: '$/hour',
          title: 'Price of the whole machine with all its GPUs, with 8 GB of disk',
          number: true,
          field: 'machine',
          value: ({ lowest }) => lowest && lowest.usdPerGpuHour * lowest.numGpus,
          cell: ({ lowest }) => (lowest === null ? '–' : formatPrice(lowest.usdPerGpuHour * lowest.numGpus)),
        },
        {
          head: 'Now',
          title: 'Whether its lowest price is low now, by the lowest prices of the books before',
          cell: ({ lowest, timing }) =>
            lowest === null ? (
              'not listed now'
            ) : timing === null && isChecking ? (
              <span class="soft">{checkingWords}</span>
            ) : (
              <TimingMark timing={timing} lowest={lowest} />
            ),
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

const named = (models: readonly string[]): string =>
  new URLSearchParams(models.map((name) => ['gpuName', name])).toString();
