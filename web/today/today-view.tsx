import {
  getMarketOverview,
  getSpendProjection,
  listBudgets,
  listChannels,
  listInstances,
} from '../../client/operations.js';
import type { Status } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { dateFormat } from '../core/formats.ts';
import { pathTo } from '../core/path-to.ts';
import { getNow } from '../core/server-time.ts';
import { useAnswer } from '../core/use-answer.ts';
import { useLive } from '../core/use-live.ts';
import type { ViewProps } from '../parts/view.ts';
import { ViewHead } from '../parts/view-head.tsx';
import { AlertsToday } from './alerts-today.tsx';
import { CheapestOffers } from './cheapest-offers.tsx';
import { CostTiles } from './cost-tiles.tsx';
import { FirstRun } from './first-run.tsx';
import { NeedsYou } from './needs-you.tsx';
import { PriceDrops } from './price-drops.tsx';

/** The first view: what it costs, what needs the reader, and what has become cheaper. */
export function TodayView({ app, status }: ViewProps) {
  const { events, changed } = useLive(['instance', 'rental']);
  const market = useAnswer(app, pathTo(getMarketOverview, {}), app.landed.value);
  const reason = noAccountReason(status);
  const alerted = events.count('alert') + events.count('delivery');
  const alerts = <AlertsToday app={app} version={alerted} />;
  const prices = (
    <>
      <PriceDrops market={market} />
      <CheapestOffers app={app} status={status} />
    </>
  );
  const today = dateFormat({ weekday: 'long', day: 'numeric', month: 'long' }).format(new Date(getNow()));
  return (
    <>
      <ViewHead title="Today" note={today} />
      <FirstRun status={status} />
      {reason === null ? (
        <OfAccount app={app} changed={changed} alerted={alerted} alerts={alerts} prices={prices} />
      ) : (
        <>
          <p class="caption" data-lacking="account">
            {reason}
          </p>
          <div class="today">{prices}</div>
          {status?.mode !== 'replay' && <div class="today">{alerts}</div>}
        </>
      )}
    </>
  );
}

interface OfAccountProps {
  app: App;
  /** Grows with each change of an instance. */
  changed: number;
  /** Grows with each alert and each attempt to deliver one. */
  alerted: number;
  alerts: preact.JSX.Element;
  prices: preact.JSX.Element;
}

/** What the account costs and needs, with the alerts beside it and the prices below. */
function OfAccount({ app, changed, alerted, alerts, prices }: OfAccountProps) {
  const landed = app.landed.value;
  const instances = useAnswer(app, pathTo(listInstances, {}), changed);
  const projection = useAnswer(app, pathTo(getSpendProjection, {}), `${changed} ${landed}`);
  const budgets = useAnswer(app, pathTo(listBudgets, {}), `${changed} ${landed}`);
  const channels = useAnswer(app, pathTo(listChannels, { limit: 1000 }), `${alerted} ${landed}`);
  const reload = () => {
    instances.reload();
    projection.reload();
    budgets.reload();
  };
  return (
    <>
      <CostTiles instances={instances} projection={projection} budgets={budgets} />
      <div class="today">
        <NeedsYou app={app} instances={instances} budgets={budgets} channels={channels} reload={reload} />
        {alerts}
      </div>
      <div class="today">{prices}</div>
    </>
  );
}

/** Returns why there is no account to show; null: there is one, or it is not known yet. */
function noAccountReason(status: Status | null): string | null {
  if (status?.mode === 'replay') {
    return 'A recorded market has no account, so Today shows only its prices.';
  }
  if (status?.capabilities.account === false) {
    return `Offerbook has no account at ${status.capabilities.label}, so Today shows only its prices.`;
  }
  return null;
}
