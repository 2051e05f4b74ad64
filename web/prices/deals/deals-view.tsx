import { hrefOf } from '../../core/address.ts';
import { offersSubject } from '../../core/alert-subject.ts';
import type { PricingType } from '../../core/api.ts';
import type { Problem } from '../../core/api-client.ts';
import { chosenTypes } from '../../core/chosen-types.ts';
import { isAboutFields } from '../../core/field-errors.ts';
import { formatCount } from '../../core/figures.ts';
import { listedBy, namedMarkets } from '../../core/market-choice.ts';
import { reasonFor, renting, savingWatches } from '../../core/permission.ts';
import { useAnswer } from '../../core/use-answer.ts';
import { useLookedAt } from '../../core/use-looked-at.ts';
import { useWide } from '../../core/use-wide.ts';
import { AlertMe } from '../../parts/alert-me.tsx';
import { Allowed } from '../../parts/allowed.tsx';
import { Switch } from '../../parts/choice.tsx';
import { ExportMenu } from '../../parts/export-menu.tsx';
import { choiceNames, countChanged, offerNames, pickParameters } from '../../parts/filter-fields.ts';
import { FilterForm, ProfileForm } from '../../parts/filter-form.tsx';
import { MarketChooser } from '../../parts/market-chooser.tsx';
import { ModelPicker } from '../../parts/model-picker.tsx';
import { Awaited, Notice, ProblemNotice } from '../../parts/notice.tsx';
import { TypeChooser } from '../../parts/type-chooser.tsx';
import type { ViewProps } from '../../parts/view.ts';
import { ViewHead } from '../../parts/view-head.tsx';
import { WaitOrRent } from '../../parts/wait-or-rent.tsx';
import { ColumnsMenu } from './columns-menu.tsx';
import { CompareButton } from './compare-button.tsx';
import { chosenColumns } from './deal-columns.ts';
import { NumGpusSelect } from './num-gpus-select.tsx';
import { OrderSelect, RankSelect } from './order-select.tsx';
import { PhoneFold } from './phone-fold.tsx';
import { usePicked } from './picked-offers.ts';
import { PresetBar } from './preset-bar.tsx';
import { QuickModels } from './quick-models.tsx';
import { explainedQuery, RankedList } from './ranked-list.tsx';
import { chosenKey, modelsPath, orderedPath, rankingPath } from './ranking-request.ts';
import {
  askedQuery,
  canBeReliable,
  editedChanges,
  hiddenOffers,
  isReliable,
  offerSet,
  reliableChanges,
  statedTrust,
} from './reliable-query.ts';
import { ReliableSwitch } from './reliable-switch.tsx';

const pageSize = 50;

/** Filters with a control of their own. */
const shownAbove = ['numGpus'];

/** The best offers of the newest book by a chosen metric and usage profile. */
export function DealsView({ app, status }: ViewProps) {
  const { query } = app.address.place.value;
  const { change } = app.address;
  const markets = app.markets.value;
  const trust = statedTrust(query, markets, status);
  const asked = askedQuery(query, trust);
  const path = orderedPath(asked, pageSize);
  const answer = useAnswer(app, path, app.landed.value);
  const refused = answer.problem?.status === 400 ? answer.problem : null;
  const set = offerSet(query, trust);
  const isHiding = canBeReliable(trust) && isReliable(query);
  // The same offers with those that the switch hides.
  const all = useAnswer(
    app,
    isHiding && answer.data !== null ? rankingPath(query, 1) : null,
    app.landed.value,
  );
  const isCounted = answer.dataPath === path && all.dataPath === rankingPath(query, 1);
  const hidden =
    isHiding && isCounted && answer.data !== null && all.data !== null
      ? hiddenOffers(answer.data, all.data)
      : null;
  const models = useAnswer(app, answer.data === null ? null : modelsPath(asked), app.landed.value);
  const chosen = chosenTypes(query);
  const listed = listedBy(query, markets, status);
  const columns = chosenColumns(query, app.dealColumns.value.value);
  const picked = usePicked();
  const noRent = reasonFor(app, renting);
  const rentingHere =
    noRent === null && status !== null
      ? { market: status.market.name, choices: rentChoices(asked), gone: app.gone }
      : null;
  const named = namedMarkets(query);
  const shownMarkets = named.length > 0 ? named : [status?.market.name ?? ''];
  useLookedAt(app, shownMarkets, query.getAll('gpuName'));
  const wide = useWide();
  const typeAndSize = (
    <>
      <TypeChooser
        listed={listed.types}
        query={query}
        choose={(type) => change({ type: type.length === 1 && type[0] === 'on-demand' ? null : type })}
      />
      <NumGpusSelect app={app} />
    </>
  );
  const maySave = reasonFor(app, savingWatches) === null;
  const saving = (
    <Allowed app={app} permission={savingWatches}>
      <a class="button" href={hrefOf('/watches/new', savedQuery(asked))}>
        Save as watch
      </a>
    </Allowed>
  );
  const filters = (
    <div class="folds">
      <FilterForm
        query={query}
        inForce={asked}
        change={change}
        edit={(changes) => change(editedChanges(query, trust, changes))}
        problem={refused}
        without={shownAbove}
      />
      <ProfileForm query={query} change={change} problem={refused}>
        <Switch
          label="List offers that end sooner last"
          name="endingLast"
          on={query.get('endingLast') === 'true'}
          change={(on) => change({ endingLast: on ? 'true' : null })}
        />
      </ProfileForm>
    </div>
  );
  const waiting = refused === null && (
    <WaitOrRent
      app={app}
      asked={answer.data && waitOf(asked, chosen)}
      raisePercent={chosen.includes('bid') ? 0 : null}
      set={set}
    />
  );
  const presets = <PresetBar app={app} market={shownMarkets.toSorted().join('|')} />;
  const columnsMenu = <ColumnsMenu app={app} shown={columns} />;
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
          {wide ? (
            <>
              {typeAndSize}
              <RankSelect app={app} />
            </>
          ) : (
            <OrderSelect app={app} columns={columns} />
          )}
        </form>
        <div class="head-actions">
          <AlertMe app={app} subject={offersSubject(asked, chosenKey(query))} />
          {wide && saving}
          <ExportMenu name="rankings" query={new URLSearchParams(path.split('?')[1])} />
        </div>
      </ViewHead>
      <QuickModels
        key={shownMarkets.join()}
        app={app}
        answer={models}
        pinned={[...new Set(shownMarkets.flatMap(app.pinned.of))]}
        set={set}
      />
      {wide ? (
        filters
      ) : (
        <PhoneFold count={countChanged(query)} isNeeded={refused !== null}>
          <form class="choosers" aria-label="Type and size" onSubmit={(event) => event.preventDefault()}>
            {typeAndSize}
          </form>
          {filters}
          <div class="row">
            {columnsMenu}
            {!maySave && saving}
          </div>
          {presets}
        </PhoneFold>
      )}
      {waiting}
      <section class="card" aria-label="Ranking" id="deals">
        <div class="list-head">
          <ReliableSwitch app={app} trust={trust} hidden={refused === null ? hidden : null} />
          {wide && presets}
          <div class="row">
            {wide && columnsMenu}
            {!wide && maySave && saving}
            <CompareButton
              picked={picked}
              by={answer.data?.by ?? chosenKey(query)}
              asked={explainedQuery(answer)}
              renting={rentingHere}
            />
          </div>
        </div>
        {refused !== null ? (
          <Refused problem={refused} retry={answer.reload} />
        ) : (
          <Awaited answer={answer} what="the ranking">
            {(rankings) => (
              <RankedList
                app={app}
                status={status}
                answer={answer}
                rankings={rankings}
                columns={columns}
                picked={picked}
                renting={rentingHere}
                noRent={noRent}
                storageGb={query.get('storageGb') ?? '8'}
                set={set}
                none={<NoneMatches hidden={hidden} show={() => change(reliableChanges(query, false))} />}
              />
            )}
          </Awaited>
        )}
      </section>
    </>
  );
}

/** A list that was refused: the fields say why, if it is about fields. */
const Refused = ({ problem, retry }: { problem: Problem; retry: () => void }) =>
  isAboutFields(problem, offerNames) ? (
    <Notice title="Check the filters">A filter above is not understood, so no offers are listed.</Notice>
  ) : (
    <ProblemNotice problem={problem} retry={retry} />
  );

function NoneMatches({ hidden, show }: { hidden: number | null; show: () => void }) {
  if (hidden === null || hidden === 0) {
    return (
      <Notice title="Nothing to rank">
        No offer in the newest book matches. Choose other models, another type or fewer filters.
      </Notice>
    );
  }
  return (
    <Notice title="No reliable offer matches">
      {formatCount(hidden)} {hidden === 1 ? 'other matches' : 'others match'}.{' '}
      <button type="button" class="link" onClick={show}>
        Show {hidden === 1 ? 'it' : 'them'}
      </button>
    </Notice>
  );
}

/** Choices that a rental takes over; its type is the offer's, its market the account's. */
function rentChoices(asked: URLSearchParams): URLSearchParams {
  const choices = pickParameters(asked, [...choiceNames, 'reliable', 'template', 'hours']);
  for (const name of ['market', 'type']) choices.delete(name);
  return choices;
}

/** Returns what a watch takes over: the filters, and the metric even if it is the default here. */
function savedQuery(asked: URLSearchParams): URLSearchParams {
  const saved = pickParameters(asked, choiceNames);
  saved.set('by', chosenKey(asked));
  return saved;
}

/** Selects offers to analyze waiting, which needs a single type. */
function waitOf(query: URLSearchParams, [type = 'on-demand', ...others]: PricingType[]): URLSearchParams {
  const asked = pickParameters(query, choiceNames);
  asked.set('type', others.length === 0 ? type : 'on-demand');
  return asked;
}
