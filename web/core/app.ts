import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals';
import { getStatus, listMarkets } from '../../client/operations.js';
import { type Address, createAddress, hrefOf } from './address.ts';
import type { AlertSubject } from './alert-subject.ts';
import type { Status, StoredMarket, StoredMarkets } from './api.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import { minutesSinceStatus } from './data-age.ts';
import { createPresets, type Presets } from './deal-presets.ts';
import { forgetAnswers } from './kept-answers.ts';
import { createLastModel, type LastModel } from './last-model.ts';
import { createLoader, type Loader } from './loader.ts';
import { pathTo } from './path-to.ts';
import { createPinnedModels, type PinnedModels } from './pinned-models.ts';
import { startClock } from './server-time.ts';
import { createStored, readNames, type Stored } from './stored.ts';
import { createTheme, type Theme } from './theme.ts';
import { createWantedAddress } from './wanted-address.ts';

/** What every view shares: address, API client, server status, login. */
export interface App {
  api: ApiClient;
  address: Address;
  theme: Theme;
  pinned: PinnedModels;
  lastModel: LastModel;
  dealPresets: Presets;
  /** Columns of deals that the reader chose; null: none. */
  dealColumns: Stored<readonly string[] | null>;
  status: Loader<Status>;
  /** The markets of the database; null until they are known. */
  markets: ReadonlySignal<readonly StoredMarket[] | null>;
  /** Whole minutes that the data became older since the status; grows while the server is unreachable. */
  minutesSinceStatus: ReadonlySignal<number>;
  /** Changes whenever new books may have changed the figures; null until the first status. */
  landed: ReadonlySignal<string | null>;
  /** The moment of the data shown, if there is no server; null: there is one, or nothing was kept. */
  offlineSince: ReadonlySignal<string | null>;
  /** Whether the server asked for a login. */
  loginNeeded: ReadonlySignal<boolean>;
  /** Called after a login: reloads everything. */
  loggedIn(): void;
  /** Offers of the newest book by their ids that the market no longer had when it was asked, or that were rented from here. */
  gone: Map<number, GoneOffer>;
  /** Called after a crawl was started: for a minute, its books are shown as soon as they land. */
  expectBooks(): void;
  /** What the reader sets up an alert for; null: nothing. */
  alertSubject: Signal<AlertSubject | null>;
  /** The latest announcement; its text is empty if there is none. */
  said: ReadonlySignal<Said>;
  /** Shows and announces a sentence for a while. */
  say(said: string | Warning): void;
}

/** Why an offer of the newest book is none any more. */
export type GoneOffer = 'rented here' | 'missing';

/** An announcement of something that was done, but lacks something. */
export interface Warning {
  warning: string;
}

interface Said {
  text: string;
  isWarning: boolean;
}

const nothingSaid: Said = { text: '', isWarning: false };

const seedingPollMs = 1_000;
/** How soon a crawl that is due has landed at most: after the first history, or started from here. */
const crawlMs = 60_000;
const idlePollMs = 30_000;
/** Interval while the server does not answer, to recover soon afterwards. */
const retryPollMs = 5_000;
const statusTimeoutMs = 10_000;
const statusPath = pathTo(getStatus, {});
const saidMs = 5_000;
const warnedMs = 8_000;

/** Creates the page's state on a window; it polls the status, so that views reload as books land. */
export function createApp(window: Window & typeof globalThis): App {
  const loginNeeded = signal(false);
  const api = createApiClient(window.fetch.bind(window), () => {
    loginNeeded.value = true;
    void forgetAnswers(window);
  });
  const status = createLoader<Status>(api, { timeoutMs: statusTimeoutMs });
  const known = computed(() => status.state.value.data);
  const stored = createLoader<StoredMarkets>(api);
  // Until the markets are known, the page shows the configured one.
  const markets = computed(() => {
    const { data, problem } = stored.state.value;
    return data?.items ?? (problem === null ? null : []);
  });
  effect(() => {
    // Only once per status: the loader reads its own state, which must not trigger another request.
    if (known.value !== null) untracked(() => stored.load(pathTo(listMarkets, {})));
  });
  const landed = computed(() => {
    const now = known.value;
    if (now === null || markets.value === null) return null;
    const others = markets.value.filter(({ isDefault }) => !isDefault).map(({ newestBooks }) => newestBooks);
    return JSON.stringify([now.newestBooks, now.seeding === null, others]);
  });

  const gone = new Map<number, GoneOffer>();
  effect(() => {
    if (landed.value === null) return;
    api.forget();
    // A newer book says itself what is gone.
    gone.clear();
  });

  let [seedingSeenAt, crawlStartedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  effect(() => {
    const { loading, data, problem, keptAt } = status.state.value;
    if (loading || loginNeeded.value) return;
    const isSeeding = data !== null && data.seeding !== null;
    if (isSeeding) seedingSeenAt = Date.now();
    // The history ends at a full hour, and the first crawl follows at once.
    const isFirstDue = (data?.dataAgeMinutes ?? 0) > 1 && Date.now() - seedingSeenAt < crawlMs;
    const isCrawlDue = isFirstDue || Date.now() - crawlStartedAt < crawlMs;
    const isAnswered = problem === null && keptAt === null;
    const pollMs = !isAnswered ? retryPollMs : isSeeding || isCrawlDue ? seedingPollMs : idlePollMs;
    const timer = window.setTimeout(() => status.load(statusPath), pollMs);
    return () => window.clearTimeout(timer);
  });

  const address = createAddress(window);
  const wanted = createWantedAddress(window);
  effect(() => {
    if (!loginNeeded.value) return;
    const { path, query } = address.place.peek();
    if (path !== '/') wanted.keep(hrefOf(path, query));
  });
  // A login link opens `/`: what was wanted before it comes next, once.
  let isOpening = hrefOf(address.place.peek().path, address.place.peek().query) === '/';
  effect(() => {
    if (known.value === null || !isOpening) return;
    isOpening = false;
    const href = wanted.take();
    if (href !== null) address.go(href);
  });

  startClock(window);
  const said = signal(nothingSaid);
  let silence: number | undefined;
  const beSilent = () => {
    window.clearTimeout(silence);
    said.value = nothingSaid;
  };
  // What was said goes with the view that it was said on.
  let view = '';
  effect(() => {
    const { path } = address.place.value;
    if (path !== view) untracked(beSilent);
    view = path;
  });
  status.load(statusPath);

  return {
    api,
    address,
    theme: createTheme(window),
    pinned: createPinnedModels(window),
    lastModel: createLastModel(window),
    dealPresets: createPresets(window),
    dealColumns: createStored(window, 'offerbook-deal-columns', readNames),
    status,
    markets,
    minutesSinceStatus: computed(() => minutesSinceStatus(known.value)),
    landed,
    offlineSince: computed(() => status.state.value.keptAt),
    expectBooks: () => {
      crawlStartedAt = Date.now();
      status.load(statusPath);
    },
    gone,
    alertSubject: signal(null),
    loginNeeded,
    loggedIn() {
      wanted.take();
      loginNeeded.value = false;
      status.load(statusPath);
    },
    said,
    say(given) {
      const isWarning = typeof given !== 'string';
      said.value = { text: isWarning ? given.warning : given, isWarning };
      window.clearTimeout(silence);
      silence = window.setTimeout(beSilent, isWarning ? warnedMs : saidMs);
    },
  };
}
