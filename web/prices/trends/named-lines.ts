import type { TrendPoint } from '../../core/api.ts';
import type { DrawnPoint, DrawnSeries, DrawnSupply } from './trend-datasets.ts';

/** A line of the chart with its name. */
export interface ShownSeries<Point extends DrawnPoint = TrendPoint> extends DrawnSeries<Point> {
  label: string;
  /** What explains its point of a moment. */
  explain: (t: string) => string;
}

/** What the types of a model offer together, with its name. */
export interface ShownSupply extends DrawnSupply {
  label: string;
  /** Whether its answer is still on its way. */
  isAwaited: boolean;
}
