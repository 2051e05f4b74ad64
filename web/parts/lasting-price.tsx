import { getRankings } from '../../client/operations.js';
import type { LowestVerdict } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { defaultMetric } from '../core/metrics.ts';
import { pathTo, valuesOf } from '../core/path-to.ts';
import { useAnswer } from '../core/use-answer.ts';
import { lastingSentence } from '../core/wait-words.ts';
import { choiceNames, profileNames } from './filter-fields.ts';

interface Props {
  app: App;
  /** Selects the offers of one model whose lowest price is judged. */
  asked: URLSearchParams;
  /** Those of the usage profile. */
  hours: number;
  judged: LowestVerdict;
}

const filterNames = choiceNames.filter((name) => !(profileNames as readonly string[]).includes(name));

/**
 * Says what the cheapest offer costs that lasts the hours of the usage profile, if the one with the lowest price does not.
 * Both with the disk of compared prices.
 */
export function LastingPrice({ app, asked, hours, judged }: Props) {
  const { market, type, lowest, timing } = judged;
  // As the book has it, like the ranking: else an offer that just became too short would be the one that lasts.
  const isEarly = (lowest?.maxDurationHours ?? hours) < hours;
  const path = pathTo(getRankings, {
    ...valuesOf(asked, filterNames),
    market,
    type,
    runningHours: `${hours}`,
    by: defaultMetric,
    outliersLast: 'true',
    endingLast: 'true',
    limit: 1,
  });
  const { data, dataPath } = useAnswer(app, isEarly ? path : null, app.landed.value);
  if (!isEarly || data === null || dataPath !== path) return null;
  const [first] = data.items;
  const lasts = first !== undefined && first.isOutlier !== true && (first.maxDurationHours ?? hours) >= hours;
  return (
    <span data-lasting={lasts ? first.usdPerGpuHour : ''}>
      {lastingSentence({
        hours,
        usdPerGpuHour: lasts ? first.usdPerGpuHour : null,
        usual: timing?.medianUsdPerGpuHour ?? null,
      })}{' '}
    </span>
  );
}
