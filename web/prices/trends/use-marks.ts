import { useMemo } from 'preact/hooks';
import { listAlerts, listRentals } from '../../../client/operations.js';
import type { App } from '../../core/app.ts';
import { pathTo } from '../../core/path-to.ts';
import { useAnswer } from '../../core/use-answer.ts';
import { trendMarks } from './trend-marks.ts';
import type { TrendRequest } from './trend-request.ts';

/** Maximum number of recent rentals to search. */
const maxRentals = 200;

/** Returns the default market's rentals and alerts in the range; empty if unreadable, which must not hide prices. */
export function useMarks(
  app: App,
  requests: readonly TrendRequest[],
  range: { from: string; to: string } | undefined,
) {
  const own = app.status.state.value.data?.market.name;
  const isOwn = requests.some(({ market }) => market === null || market === own);
  const wanted = isOwn && range !== undefined && app.address.place.value.query.get('marks') !== '0';
  const asked = { from: range?.from, to: range?.to, limit: 1000 };
  const rentals = useAnswer(app, wanted ? pathTo(listRentals, { limit: maxRentals }) : null);
  const alerts = useAnswer(app, wanted ? pathTo(listAlerts, asked) : null, app.landed.value);
  const models = requests.flatMap(({ gpuName }) => gpuName ?? []).join('\n');
  return useMemo(() => {
    if (!wanted) return [];
    const names = models === '' ? [] : models.split('\n');
    return trendMarks(names, rentals.data?.items ?? [], alerts.data?.items ?? []);
  }, [wanted, models, rentals.data, alerts.data]);
}
