import { listLowestVerdicts } from '../../../client/operations.js';
import type { JudgedOffer, LowestVerdict, LowestVerdicts, PriceTiming } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { defaultMetric } from '../../core/metrics.ts';
import { pathTo, valuesOf } from '../../core/path-to.ts';
import { type Answer, useAnswer } from '../../core/use-answer.ts';
import { explainQuery } from '../../parts/explain.tsx';
import { choiceNames, filterFields, offerNames, pickParameters } from '../../parts/filter-fields.ts';
import { ProblemNotice } from '../../parts/notice.tsx';
import { PinButton } from '../../parts/pin-button.tsx';
import { Term } from '../../parts/term.tsx';
import { type StatedTrust, withoutReliable } from '../deals/reliable-query.ts';
import { drawsAllReliable, onlyReliable, reliableFilters } from './drawn-set.ts';
import { LowestSentence, pricedFor } from './lowest-sentence.tsx';
import { labelsOf } from './shown-series.ts';
import { choicesOf, type TrendRequest } from './trend-request.ts';

/** Verdicts of the lowest prices of the drawn models. */
export interface Verdicts {
  /** Of the drawn offers; null: all models are drawn together. */
  drawn: Answer<LowestVerdicts> | null;
  /** Of the reliable ones, as elsewhere on the page; null: the filters say which offers, or none can be reliable. */
  reliable: Answer<LowestVerdicts> | null;
}

/** Loads the verdicts of the drawn models' lowest prices. */
export function useVerdicts(
  app: App,
  requests: readonly TrendRequest[],
  query: URLSearchParams,
  trust: StatedTrust,
): Verdicts {
  const named = requests.filter(({ gpuName }) => gpuName !== null);
  // An answer that is not asked for any more stays with its loader, and is no answer here.
  const useOf = (filters: URLSearchParams | null) => {
    const isAsked = filters !== null && named.length > 0;
    const path = isAsked
      ? pathTo(listLowestVerdicts, { ...valuesOf(filters, choiceNames), ...choicesOf(named) })
      : null;
    const answer = useAnswer(app, path, app.landed.value);
    return isAsked ? answer : null;
  };
  return { drawn: useOf(query), reliable: useOf(reliableFilters(query, trust)) };
}

/** Whether an answer is still under way; one that is not asked for is not. */
const isAwaited = (answer: Answer<LowestVerdicts> | null): boolean =>
  answer !== null && answer.path !== answer.dataPath && answer.problem === null;

interface Props {
  app: App;
  requests: readonly TrendRequest[];
  query: URLSearchParams;
  verdicts: Verdicts;
  trust: StatedTrust;
  /** Name of the default market. */
  ownMarket: string;
}

/** More sentences than this are shown on demand, because they would push the chart out of view. */
const maxShown = 4;

/** Whether each drawn model's lowest price is low now, one sentence a line. */
export function LineVerdicts({ app, requests, query, verdicts, trust, ownMarket }: Props) {
  const { drawn, reliable } = verdicts;
  if (drawn === null) {
    return <p class="soft judgement">Choose one model to see whether its price is low now.</p>;
  }
  const { data, problem, reload } = drawn;
  if (data === null) return problem === null ? null : <ProblemNotice problem={problem} retry={reload} />;
  const labels = labelsOf(requests);
  const drawing = whichDrawn(app, query, trust);
  const lines = requests.map((request, place) => (
    <LineVerdict
      key={labels[place]}
      app={app}
      label={labels[place] ?? ''}
      request={request}
      item={data.items.find((each) => isOf(each, request))}
      reliable={reliable?.data?.items.find((each) => isOf(each, request))}
      isCurrent={!isAwaited(drawn) && !isAwaited(reliable)}
      isAlone={requests.length === 1}
      query={query}
      trust={trust}
      market={request.market ?? ownMarket}
    />
  ));
  return (
    <div id="verdicts" aria-busy={isAwaited(drawn) || isAwaited(reliable)} data-path={drawn.dataPath}>
      {lines.slice(0, maxShown)}
      {lines.length > maxShown && (
        <details>
          <summary>{lines.length - maxShown} more</summary>
          {lines.slice(maxShown)}
        </details>
      )}
      {(lines.length > 1 || drawing !== null) && (
        <p class="caption">
          {lines.length > 1 && `Prices are ${pricedFor}. `}
          {drawing}
        </p>
      )}
    </div>
  );
}

/** Says which offers the chart draws, with a link that draws the others; null: the filters say it. */
function whichDrawn(app: App, query: URLSearchParams, trust: StatedTrust) {
  const only = onlyReliable(app, query, trust);
  if (only !== null) {
    return (
      <>
        The chart is of all offers:{' '}
        <a href={only} data-draw="reliable">
          draw only the reliable ones
        </a>
        . {goesByLowest}
      </>
    );
  }
  if (!drawsAllReliable(query, trust)) return null;
  return (
    <>
      The chart is of reliable offers only:{' '}
      <a href={app.address.with(withoutFilters)} data-draw="all">
        draw all
      </a>
      . {goesByLowest}
    </>
  );
}

/** Above the chart: its medians may fall while the lowest price rises. */
const goesByLowest = (
  <>
    Whether it is a <Term word="good time" /> to rent goes by the lowest price alone, not by the median.
  </>
);

const withoutFilters = Object.fromEntries(filterFields.map(({ name }) => [name, null]));

const isOf = (item: LowestVerdict, { market, gpuName, type }: TrendRequest): boolean =>
  item.gpuName === gpuName && item.type === type && item.market === (market ?? item.market);

interface LineProps {
  app: App;
  label: string;
  request: TrendRequest;
  item: LowestVerdict | undefined;
  /** Of the reliable offers; undefined: they are not asked for, or not answered yet. */
  reliable: LowestVerdict | undefined;
  /** Whether the responses are for these lines. */
  isCurrent: boolean;
  /** Whether it is the only line. */
  isAlone: boolean;
  /** Filters of the offers. */
  query: URLSearchParams;
  trust: StatedTrust;
  /** Name of the line's market. */
  market: string;
}

function LineVerdict(props: LineProps) {
  const { app, label, request, item, reliable, isCurrent, isAlone, query, trust, market: own } = props;
  const { market, gpuName, type } = request;
  const name = (
    <>
      {gpuName !== null && <PinButton app={app} market={own} gpuName={gpuName} />}
      <strong>{label}</strong>
    </>
  );
  const isLoading = !isCurrent && (item === undefined || reliable === undefined);
  if (isLoading || item === undefined || item.lowest === null) {
    return (
      <p class="judgement" data-listing="">
        {name} {isLoading ? 'checking prices…' : missingWords(item)}
      </p>
    );
  }
  const shared = { market, gpuName, type };
  const judge = (offer: JudgedOffer, timing: PriceTiming | null, filters: URLSearchParams, more = {}) => ({
    offer,
    timing,
    of: {
      price: explainQuery(
        'ranking',
        { ...shared, ...more, listingId: offer.listingId, by: defaultMetric },
        filters,
      ),
      timing: explainQuery('timing', { ...shared, ...more }, filters),
    },
  });
  const filters = pickParameters(query, offerNames);
  const { lowest, timing, lowestVerified, verifiedTiming } = item;
  const all = judge(lowest, timing, filters);
  const ofReliable = reliableFilters(query, trust);
  const best =
    reliable?.lowest && ofReliable
      ? {
          ...judge(reliable.lowest, reliable.timing, pickParameters(ofReliable, offerNames)),
          name: 'reliable',
        }
      : lowestVerified && {
          ...judge(lowestVerified, verifiedTiming, filters, { verification: 'verified' }),
          name: nameOf(query, trust),
        };
  return (
    <LowestSentence
      best={best}
      isAlone={isAlone}
      all={filters.size > 0 ? all : { ...all, of: { ...all.of, price: explainQuery('lowest', shared) } }}
    >
      {name}
    </LowestSentence>
  );
}

/** Names the verified offers that a query asks for. */
function nameOf(query: URLSearchParams, trust: StatedTrust): string {
  if (withoutReliable(query, trust) !== null) return 'reliable';
  return query.has('minReliability') ? 'verified' : 'verified, any reliability,';
}

/** Describes why there is no lowest price now. */
function missingWords(item: LowestVerdict | undefined): string {
  if (item === undefined) return 'no book of this type yet.';
  if (item.outliers > 0) return 'now: only outlier prices.';
  return 'now: not listed in the newest book.';
}
