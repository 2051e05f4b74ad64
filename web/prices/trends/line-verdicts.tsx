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
import { LowestSentence } from './lowest-sentence.tsx';
import { labelsOf } from './shown-series.ts';
import { choicesOf, type TrendRequest } from './trend-request.ts';

/** Loads the verdicts of the drawn models' lowest prices; null path: all models are drawn together. */
export function useVerdicts(
  app: App,
  requests: readonly TrendRequest[],
  query: URLSearchParams,
): Answer<LowestVerdicts> {
  const named = requests.filter(({ gpuName }) => gpuName !== null);
  const asked = { ...valuesOf(query, choiceNames), ...choicesOf(named) };
  return useAnswer(app, named.length === 0 ? null : pathTo(listLowestVerdicts, asked), app.landed.value);
}

interface Props {
  app: App;
  requests: readonly TrendRequest[];
  query: URLSearchParams;
  answer: Answer<LowestVerdicts>;
  /** Name of the default market. */
  ownMarket: string;
}

/** More sentences than this are shown on demand, because they would push the chart out of view. */
const maxShown = 4;

/** Whether each drawn model's lowest price is low now, one sentence a line. */
export function LineVerdicts({ app, requests, query, answer, ownMarket }: Props) {
  const { data, problem, path, reload } = answer;
  if (path === null) {
    return <p class="soft judgement">Choose a model to see whether its price is low now.</p>;
  }
  if (data === null) return problem === null ? null : <ProblemNotice problem={problem} retry={reload} />;
  const labels = labelsOf(requests);
  const lines = requests.map((request, place) => (
    <LineVerdict
      key={labels[place]}
      app={app}
      label={labels[place] ?? ''}
      request={request}
      item={data.items.find((each) => isOf(each, request))}
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
  /** Whether the response is for these lines. */
  isCurrent: boolean;
  /** Filters of the offers. */
  query: URLSearchParams;
  /** Name of the line's market. */
  market: string;
}

function LineVerdict({ app, label, request, item, isCurrent, query, market: own }: LineProps) {
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
  const filters = pickParameters(query, offerNames);
  const rank = ({ listingId }: JudgedOffer, own = {}): string =>
    explainQuery('ranking', { ...shared, ...own, listingId, by: defaultMetric }, filters);
  const verification = { verification: 'verified' };
  return (
    <LowestSentence
      lowest={item.lowest}
      item={item}
      isAny={!query.has('minReliability')}
      of={{
        price: filters.size > 0 ? rank(item.lowest) : explainQuery('lowest', shared),
        timing: explainQuery('timing', shared, filters),
      }}
      ofVerified={(offer) => ({
        price: rank(offer, verification),
        timing: explainQuery('timing', { ...shared, ...verification }, filters),
      })}
    >
      {name}
    </LowestSentence>
  );
}

/** Describes why there is no lowest price now. */
function missingWords(item: LowestVerdict | undefined): string {
  if (item === undefined) return 'no book of this type yet.';
  if (item.outliers > 0) return 'now: only outlier prices.';
  return 'now: not listed in the newest book.';
}
