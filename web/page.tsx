import { useEffect, useRef } from 'preact/hooks';
import type { App } from './core/app.ts';
import { isLacking, type MarketPart } from './core/market-parts.ts';
import { OwnTime, ownTimeOf } from './core/own-time.ts';
import { AlertDialog } from './parts/alert-dialog.tsx';
import { Banners } from './parts/banners.tsx';
import { Explanation } from './parts/explanation.tsx';
import { KnownAlertsProvider } from './parts/known-alerts.tsx';
import { type Lazy, lazyView } from './parts/lazy-view.tsx';
import { Login } from './parts/login.tsx';
import { Masthead } from './parts/masthead.tsx';
import { Missing } from './parts/missing.tsx';
import { LoadingNotice, Notice, ProblemNotice } from './parts/notice.tsx';
import { Said } from './parts/said.tsx';
import type { ViewProps } from './parts/view.ts';
import { ViewHead } from './parts/view-head.tsx';

/** A view, selected by the start of its path. */
interface View {
  path: string;
  label: string;
  /** Whether it appears in the navigation. */
  listed: boolean;
  /** Whether it can compare several markets. */
  compares?: boolean;
  /** Whether its link leads to it as the reader left it. */
  keeps?: boolean;
  /** The listed view under which it appears. @default itself */
  under?: string;
  /** The part of the market that it needs; hidden if the market lacks it. */
  needs?: MarketPart;
  show: Lazy<ViewProps>;
}

const TodayView = lazyView('today', async () => (await import('./today/today-view.tsx')).TodayView);
const MarketView = lazyView(
  'the market',
  async () => (await import('./prices/market/market-view.tsx')).MarketView,
);
const TrendsView = lazyView(
  'the trends',
  async () => (await import('./prices/trends/trends-view.tsx')).TrendsView,
);
const StartView = lazyView(
  'the first steps',
  async () => (await import('./service/start-view.tsx')).StartView,
);
const DealsView = lazyView(
  'the deals',
  async () => (await import('./prices/deals/deals-view.tsx')).DealsView,
);
const ListingView = lazyView(
  'the listing',
  async () => (await import('./prices/listing/listing-view.tsx')).ListingView,
);
const CrawlsView = lazyView('the crawls', async () => (await import('./books/crawls-view.tsx')).CrawlsView);
const SettingsView = lazyView(
  'the settings',
  async () => (await import('./service/settings-view.tsx')).SettingsView,
);
const SpendView = lazyView('the spend', async () => (await import('./spend/spend-view.tsx')).SpendView);
const WatchesView = lazyView(
  'the watches',
  async () => (await import('./watches/watches-view.tsx')).WatchesView,
);
const InstancesView = lazyView(
  'the instances',
  async () => (await import('./rentals/instances/instances-view.tsx')).InstancesView,
);
const OrdersView = lazyView('the orders', async () => (await import('./orders/orders-view.tsx')).OrdersView);
const TemplatesView = lazyView(
  'the templates',
  async () => (await import('./rentals/templates/templates-view.tsx')).TemplatesView,
);
const RentView = lazyView('the rental', async () => (await import('./rentals/rent/rent-view.tsx')).RentView);
const VolumesView = lazyView(
  'the volumes',
  async () => (await import('./rentals/volumes/volumes-view.tsx')).VolumesView,
);

const views: readonly View[] = [
  { path: '/today', label: 'Today', listed: true, show: TodayView },
  { path: '/market', label: 'Market', listed: true, compares: true, show: MarketView },
  { path: '/trends', label: 'Trends', listed: true, compares: true, show: TrendsView },
  { path: '/deals', label: 'Deals', listed: true, compares: true, keeps: true, show: DealsView },
  { path: '/listings', label: 'Listing', listed: false, under: '/deals', show: ListingView },
  { path: '/instances', label: 'Instances', listed: true, needs: 'account', show: InstancesView },
  {
    path: '/templates',
    label: 'Templates',
    listed: false,
    under: '/instances',
    needs: 'account',
    show: TemplatesView,
  },
  {
    path: '/volumes',
    label: 'Volumes',
    listed: false,
    under: '/instances',
    needs: 'account',
    show: VolumesView,
  },
  { path: '/rent', label: 'Rent', listed: false, under: '/deals', needs: 'account', show: RentView },
  { path: '/orders', label: 'Orders', listed: true, needs: 'account', show: OrdersView },
  { path: '/spend', label: 'Spend', listed: true, needs: 'bills', show: SpendView },
  { path: '/watches', label: 'Watches', listed: true, show: WatchesView },
  { path: '/crawls', label: 'Crawls', listed: true, show: CrawlsView },
  { path: '/settings', label: 'Settings', listed: true, show: SettingsView },
  { path: '/start', label: 'First steps', listed: false, show: StartView },
];
const home = '/today';

const viewOf = (path: string): View | undefined => {
  const wanted = path === '/' ? home : path;
  return views.find((view) => wanted === view.path || wanted.startsWith(`${view.path}/`));
};

/** Returns the browser tab's title for a path and its query. */
export function titleOf({ path, query }: { path: string; query: URLSearchParams }): string {
  const models = query.getAll('gpuName').join(', ');
  const label = viewOf(path)?.label ?? 'Page not found';
  return `${models === '' ? '' : `${models} · `}${label} · Offerbook`;
}

/** The whole page: masthead, banners, and the view of the address. */
export function Page({ app }: { app: App }) {
  const { data: status, problem } = app.status.state.value;
  const minutesSince = app.minutesSinceStatus.value;
  const { path } = app.address.place.value;
  const view = viewOf(path);
  const main = useRef<HTMLElement>(null);
  const shown = useRef(view);
  // Moves the focus to the new view, for keyboards and screen readers.
  useEffect(() => {
    // A reader who came back has the focus on the link that they had followed.
    const isInView = document.activeElement?.closest('.view') != null;
    if (shown.current !== view && !isInView) main.current?.focus({ preventScroll: true });
    shown.current = view;
  }, [view]);
  if (app.loginNeeded.value) {
    return (
      <>
        <Masthead app={app} status={null} items={[]} path={path} />
        <Login app={app} />
      </>
    );
  }
  // Banners are above the view, which is not shown until they are known, so that nothing moves.
  const isUnknown = status === null && problem === null;
  return (
    <OwnTime.Provider value={ownTimeOf(status)}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Masthead
        app={app}
        status={status}
        minutesSince={minutesSince}
        items={views
          .filter(({ listed, needs }) => listed && !isLacking(needs, status))
          .map((item) => ({ ...item, prepare: item.show.prepare }))}
        path={view?.under ?? view?.path ?? path}
      />
      <KnownAlertsProvider app={app}>
        <main id="main" ref={main} tabIndex={-1}>
          {problem !== null && <ProblemNotice problem={problem} retry={app.status.reload} />}
          {status !== null && (
            <Banners status={status} minutesSince={minutesSince} offlineSince={app.offlineSince.value} />
          )}
          {isUnknown && <LoadingNotice what="the market status" />}
          <div class="view" hidden={isUnknown}>
            {view === undefined ? (
              <Missing title="Page not found">
                Check the address, press Ctrl K to search, or go to <a href="/">Today</a>.
              </Missing>
            ) : isLacking(view.needs, status) ? (
              <>
                <ViewHead title={view.label} />
                {status?.mode === 'replay' ? (
                  <Notice title="Recorded market: it has no account">
                    These books were recorded earlier, so nothing can be rented, and there are no bills. The
                    offers are under <a href="/deals">Deals</a>.
                  </Notice>
                ) : (
                  <Notice title={`Not available for ${status?.capabilities.label}`}>
                    Offerbook reads only the offers of this market: see <a href="/deals">Deals</a>.
                  </Notice>
                )}
              </>
            ) : (
              <view.show key={view.path} app={app} status={status} />
            )}
          </div>
        </main>
        <Explanation app={app} />
        <AlertDialog app={app} />
      </KnownAlertsProvider>
      <Said app={app} />
      <footer>
        {status !== null && <span>Offerbook {status.version}</span>}
        <a href="/start">First steps</a>
        <a href="/api/docs">API</a>
      </footer>
    </OwnTime.Provider>
  );
}
