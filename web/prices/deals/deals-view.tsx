import { hrefOf } from '../../core/address.ts';
import { offersSubject } from '../../core/alert-subject.ts';
import type { PricingType, Rankings } from '../../core/api.ts';
import { formatCount } from '../../core/figures.ts';
import { listedBy } from '../../core/market-choice.ts';
import { defaultRanking, metricLabel } from '../../core/metrics.ts';
import { reasonFor, renting, savingWatches } from '../../core/permission.ts';
import { type Answer, useAnswer } from '../../core/use-answer.ts';
import { usePages } from '../../core/use-pages.ts';
import { AlertMe } from '../../parts/alert-me.tsx';
import { Allowed, Reason } from '../../parts/allowed.tsx';
import { Select, SomeOf } from '../../parts/choice.tsx';
import { ExportMenu } from '../../parts/export-menu.tsx';
import { choiceNames, pickParameters } from '../../parts/filter-fields.ts';
import { FilterForm, ProfileForm } from '../../parts/filter-form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { MarketChooser } from '../../parts/market-chooser.tsx';
import { ModelPicker } from '../../parts/model-picker.tsx';
import { Moment } from '../../parts/moment.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { Awaited, Notice } from '../../parts/notice.tsx';
import { typeLabels } from '../../parts/type-labels.ts';
import type { ViewProps } from '../../parts/view.ts';
import { ViewHead } from '../../parts/view-head.tsx';
import { WaitOrRent } from '../../parts/wait-or-rent.tsx';
import { chosenKey, rankingOptions, rankingPath } from './ranking-request.ts';
import { RankingTable } from './ranking-table.tsx';

const pageSize = 50;

/** The best offers of the newest book by a chosen metric and usage profile. */
export function DealsView({ app, status }: ViewProps) {
  const { query } = app.address.place.value;
  const { change } = app.address;
  const answer = useAnswer(app, rankingPath(query, pageSize), app.landed.value);
  const types = query.getAll('type') as PricingType[];
  const chosen: PricingType[] = types.length === 0 ? ['on-demand'] : types;
  const listed = listedBy(query, app.markets.value, status);
  const watched = pickParameters(query, [...choiceNames, 'by']);
  return (
    <>
      <ViewHead title="Deals">
        <form class="choosers" aria-label="Ranking options" onSubmit={(event) => event.preventDefault()}>
          <MarketChooser app={app} />
          <ModelPicker
            names={listed.gpuNames}
            chosen={query.getAll('gpuName')}
            choose={(gpuName) => change({ gpuName })}
          />
          <SomeOf
            legend="Type"
            name="type"
            options={[...new Set([...listed.types, ...chosen])].map((value) => ({
              value,
              label: typeLabels[value] ?? value,
            }))}
            chosen={chosen}
            choose={(type) => change({ type: type.length === 1 && type[0] === 'on-demand' ? null : type })}
          />
          <Select
            label="Rank by"
            name="by"
            options={rankingOptions}
            value={chosenKey(query)}
            choose={(by) => change({ by: by === defaultRanking ? null : by })}
          />
        </form>
        <AlertMe app={app} subject={offersSubject(query, chosenKey(query))} />
        <Allowed app={app} permission={savingWatches}>
          <a class="button" href={hrefOf('/watches/new', watched)}>
            Save as watch
          </a>
        </Allowed>
        <ExportMenu name="rankings" query={new URLSearchParams(rankingPath(query, pageSize).split('?')[1])} />
      </ViewHead>
      <div class="folds">
        <FilterForm query={query} change={change} />
        <ProfileForm query={query} change={change} />
      </div>
      <WaitOrRent
        app={app}
        asked={answer.data && waitOf(query, chosen)}
        raisePercent={chosen.includes('bid') ? 0 : null}
      />
      <section class="card" aria-label="Ranking" id="deals">
        <Awaited answer={answer} what="the ranking">
          {(rankings) => (
            <Ranked
              app={app}
              status={status}
              answer={answer}
              rankings={rankings}
              asked={chosenKey(query)}
              storageGb={query.get('storageGb') ?? '8'}
              rentWith={rentChoices(query)}
            />
          )}
        </Awaited>
      </section>
    </>
  );
}

interface RankedProps extends ViewProps {
  answer: Answer<Rankings>;
  rankings: Rankings;
  asked: string;
  storageGb: string;
  rentWith: URLSearchParams;
}

/** Choices that a rental takes over; its type is the offer's, its market the account's. */
const rentChoices = (query: URLSearchParams): URLSearchParams => {
  const choices = pickParameters(query, [...choiceNames, 'template', 'hours']);
  for (const name of ['market', 'type']) choices.delete(name);
  return choices;
};

/** Selects offers to analyze waiting, which needs a single type. */
const waitOf = (query: URLSearchParams, [type = 'on-demand', ...others]: PricingType[]): URLSearchParams => {
  const asked = pickParameters(query, choiceNames);
  asked.set('type', others.length === 0 ? type : 'on-demand');
  return asked;
};

function Ranked({ app, status, answer, rankings, asked, storageGb, rentWith }: RankedProps) {
  const pages = usePages(app, answer);
  const noRent = reasonFor(app, renting);
  const { by, observedAt, bookVerdict, unranked } = rankings;
  if (observedAt === null || pages.items.length === 0) {
    return (
      <>
        <Notice title="Nothing to rank">
          {status?.seeding != null
            ? 'Rankings appear when the first books arrive.'
            : observedAt === null
              ? 'No book of this type yet. Run npx offerbook crawl offers, or import one.'
              : 'No offer in the newest book matches. Choose other models, another type or fewer filters.'}
        </Notice>
        <p class="caption">
          <Unranked unranked={unranked} />
        </p>
      </>
    );
  }
  return (
    <>
      {by !== asked && (
        <p class="remark" data-remark="by">
          This market does not publish DLPerf, so offers are ranked by {metricLabel(by)} instead.
        </p>
      )}
      {bookVerdict === 'partial' && (
        <p class="remark" data-remark="partial">
          The newest book is partial: offers may be missing.
        </p>
      )}
      {noRent !== null && (
        <p class="caption">
          <Reason>{noRent}</Reason>
        </p>
      )}
      <RankingTable
        items={pages.items}
        by={by}
        asked={new URLSearchParams(answer.dataPath?.split('?')[1])}
        rentIn={noRent === null ? (status?.market.name ?? null) : null}
        rentWith={rentWith}
      />
      <MoreButton pages={pages} />
      <p class="caption">
        {pages.more === null ? 'All ranked offers' : `The first ${formatCount(pages.items.length)} offers`} of
        the book of <Moment t={observedAt} />. Prices include {storageGb} GB of storage; bid prices are the
        minimum bid. DLPerf is the market's predicted deep-learning score. <Unranked unranked={unranked} />
      </p>
      <p class="caption keys">
        {legend.map(([name, text]) => (
          <span key={name}>
            <Icon name={name} /> {text}
          </span>
        ))}
        <span>compared with the daily prices of its segment. Tap or click a verdict for all windows.</span>
      </p>
    </>
  );
}

const legend = [
  ['great', 'very low'],
  ['good', 'low'],
  ['usual', 'usual'],
  ['dear', 'high'],
  ['steep', 'very high'],
  ['unknown', 'not enough history'],
] as const;

function Unranked({ unranked }: Pick<Rankings, 'unranked'>) {
  const total = unranked.reduce((sum, { offers }) => sum + offers, 0);
  if (total === 0) return null;
  const reasons = unranked.map(({ reason, offers }) => `${reason}: ${formatCount(offers)}`).join('; ');
  return (
    <span data-unranked={total}>
      Not ranked: {formatCount(total)} ({reasons}).
    </span>
  );
}
