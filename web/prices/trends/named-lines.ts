import type { TrendPoint } from '../../core/api.ts';
import type { DrawnPoint, DrawnSeries, DrawnSupply } from './trend-datasets.ts';

/** A line of the chart with its name. */
export interface ShownSeries<Point extends DrawnPoint = TrendPoint> extends DrawnSeries<Point> {
  label: string;
  /** Returns the query that explains a moment's point. */
  explain: (t: string) => string;
  /** What explains its figures over the range; null: it has none. */
  range: string | null;
}

/** The combined supply of a model's types, with its name. */
export interface ShownSupply extends DrawnSupply {
  label: string;
  /** Whether its response is still loading. */
  isAwaited: boolean;
  /** What explains its point of a moment. */
  explain: (t: string) => string;
}
