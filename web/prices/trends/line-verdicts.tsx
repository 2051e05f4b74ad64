import { listLowestVerdicts } from '../../../client/operations.js';
import type { JudgedOffer, LowestVerdict, LowestVerdicts } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { defaultMetric } from '../../core/metrics.ts';
import { pathTo, valuesOf } from '../../core/path-to.ts';
import { type Answer, useAnswer } from '../../core/use-answer.ts';
import { explainQuery } from '../../parts/explain.tsx';
import { choiceNames, offerNames, pickParameters } from '../../parts/filter-fields.ts';
import { ProblemNotice } from '../../parts/notice.tsx';
import { PinButton } from '../../parts/pin-button.tsx';
import { type StatedTrust, withoutReliable } from '../deals/reliable-query.ts';
import { onlyReliable, reliableFilters } from './drawn-set.ts';
import { LowestSentence } from './lowest-sentence.tsx';
import { labelsOf } from './shown-series.ts';
import { choicesOf, type TrendRequest } from './trend-request.ts';

/** Verdicts of the lowest prices of the drawn models. */
export interface Verdicts {
  /** Of the drawn offers; null path: all models are drawn together. */
  drawn: Answer<LowestVerdicts>;
  /** Of the reliable ones, as elsewhere on the page; null path: the filters say which offers, or none can be reliable. */
  reliable: Answer<LowestVerdicts>;
  /** The filters of the reliable ones. */
  filters: URLSearchParams;
  trust: StatedTrust;
}

/** Loads the verdicts of the drawn models' lowest prices. */
export function useVerdicts(
  app: App,
  requests: readonly TrendRequest[],
  query: URLSearchParams,
  trust: StatedTrust,
): Verdicts {
  const named = requests.filter(({ gpuName }) => gpuName !== null);
  const useOf = (filters: URLSearchParams | null) => {
    const asked = filters && { ...valuesOf(filters, choiceNames), ...choicesOf(named) };
    const path = asked === null || named.length === 0 ? null : pathTo(listLowestVerdicts, asked);
    return useAnswer(app, path, app.landed.value);
  };
  const filters = reliableFilters(query, trust);
  return { drawn: useOf(query), reliable: useOf(filters), filters: filters ?? query, trust };
}

interface Props {
  app: App;
  requests: readonly TrendRequest[];
  query: URLSearchParams;
  verdicts: Verdicts;
  /** Name of the default market. */
  ownMarket: string;
}

/** More sentences than this are shown on demand, because they would push the chart out of view. */
const maxShown = 4;

/** Whether each drawn model's lowest price is low now, one sentence a line. */
export function LineVerdicts({ app, requests, query, verdicts, ownMarket }: Props) {
  const { drawn: answer, reliable, filters, trust } = verdicts;
  const { data, problem, path, reload } = answer;
  if (path === null) {
    return <p class="soft judgement">Choose a model to see whether its price is low now.</p>;
  }
  if (data === null) return problem === null ? null : <ProblemNotice problem={problem} retry={reload} />;
  const labels = labelsOf(requests);
  const only = onlyReliable(app, query, trust);
  const lines = requests.map((request, place) => (
    <LineVerdict
      key={labels[place]}
      app={app}
      label={labels[place] ?? ''}
      request={request}
      item={data.items.find((each) => isOf(each, request))}
      reliable={reliable.data?.items.find((each) => isOf(each, request)) ?? null}
      reliableFilters={filters}
      trust={trust}
      isCurrent={path === answer.dataPath}
      query={query}
      market={request.market ?? ownMarket}
    />
  ));
  return (
    <div id="verdicts" aria-busy={path !== answer.dataPath} data-path={answer.dataPath}>
      {lines.slice(0, maxShown)}
      {lines.length > maxShown && (
        <details>
          <summary>{lines.length - maxShown} more</summary>
          {lines.slice(maxShown)}
        </details>
      )}
      {only !== null && (
        <p class="caption">
          The chart is of all offers:{' '}
          <a href={only} data-draw="reliable">
            draw only the reliable ones
          </a>
          .
        </p>
      )}
    </div>
  );
}

const isOf = (item: LowestVerdict, { market, gpuName, type }: TrendRequest): boolean =>
  item.gpuName === gpuName && item.type === type && item.market === (market ?? item.market);

interface LineProps {
  app: App;
  label: string;
  request: TrendRequest;
  item: LowestVerdict | undefined;
  /** Of the reliable offers; null: the line is of chosen ones, or there is none. */
  reliable: LowestVerdict | null;
  reliableFilters: URLSearchParams;
  trust: StatedTrust;
  /** Whether the response is for these lines. */
  isCurrent: boolean;
  /** Filters of the offers. */
  query: URLSearchParams;
  /** Name of the line's market. */
  market: string;
}

function LineVerdict(props: LineProps) {
  const { app, label, request, item, reliable, isCurrent, query, market: own } = props;
  const { market, gpuName, type } = request;
  const name = (
    <>
      {gpuName !== null && <PinButton app={app} market={own} gpuName={gpuName} />}
      <strong>{label}</strong>
    </>
  );
  if (item === undefined || item.lowest === null) {
    return (
      <p class="judgement" data-listing="">
        {name} {item === undefined && !isCurrent ? 'checking prices…' : missingWords(item)}
      </p>
    );
  }
  const shared = { market, gpuName, type };
  const explained = (offer: JudgedOffer, filters: URLSearchParams, own = {}) => ({
    price: explainQuery(
      'ranking',
      { ...shared, ...own, listingId: offer.listingId, by: defaultMetric },
      filters,
    ),
    timing: explainQuery('timing', { ...shared, ...own }, filters),
  });
  const filters = pickParameters(query, offerNames);
  const { lowest, timing, lowestVerified, verifiedTiming } = item;
  const verified = { verification: 'verified' };
  const best = [
    ...(reliable?.lowest
      ? [
          {
            name: 'reliable',
            offer: reliable.lowest,
            timing: reliable.timing,
            of: explained(reliable.lowest, pickParameters(props.reliableFilters, offerNames)),
          },
        ]
      : []),
    ...(lowestVerified
      ? [
          {
            name: nameOf(query, props.trust),
            offer: lowestVerified,
            timing: verifiedTiming,
            of: explained(lowestVerified, filters, verified),
          },
        ]
      : []),
  ][0];
  return (
    <LowestSentence
      best={best ?? null}
      all={{
        offer: lowest,
        timing,
        of: {
          ...explained(lowest, filters),
          ...(filters.size > 0 ? {} : { price: explainQuery('lowest', shared) }),
        },
      }}
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
