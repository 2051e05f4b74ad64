import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import type { Rankings, Status, Trends } from './api.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import { createLoader, type Loader } from './loader.ts';
import { parseView, rankingPath, trendPath, type View, viewQuery } from './view.ts';

/** Everything the page shows and the ways to change it. */
export interface PageState {
  api: ApiClient;
  view: ReadonlySignal<View>;
  /** Changes the view and the page's address; the browser's back button undoes it. */
  change(part: Partial<View>): void;
  status: Loader<Status>;
  /** Whole minutes since the status was answered: its age grows while the server is away. */
  minutesSinceStatus: ReadonlySignal<number>;
  trends: Loader<Trends>;
  rankings: Loader<Rankings>;
  /** Whether the server asked for a login. */
  loginNeeded: ReadonlySignal<boolean>;
  /** To call after a login: asks for everything again. */
  loggedIn(): void;
}

const seedingPollMs = 1_000;
const idlePollMs = 30_000;
/** While the server does not answer, to be there soon when it does again. */
const retryPollMs = 5_000;
const statusTimeoutMs = 10_000;

/** The page's state on a window: reads the view from its address, polls the status, reloads as books land. */
export function createPageState(window: Window & typeof globalThis): PageState {
  const loginNeeded = signal(false);
  const api = createApiClient(window.fetch.bind(window), () => {
    loginNeeded.value = true;
  });
  const view = signal(parseView(window.location.search));
  const status = createLoader<Status>(api, { timeoutMs: statusTimeoutMs });
  const trends = createLoader<Trends>(api);
  const rankings = createLoader<Rankings>(api);

  window.addEventListener('popstate', () => {
    view.value = parseView(window.location.search);
  });

  const known = computed(() => status.state.value.data);
  /** Changes whenever new books can have changed the figures. */
  const landed = computed(() => {
    const now = known.value;
    return now === null ? null : JSON.stringify([now.newestBooks, now.seeding === null]);
  });

  effect(() => {
    if (loginNeeded.value || landed.value === null) return;
    const { newestBooks } = untracked(() => known.value) ?? { newestBooks: [] };
    const newest = newestBooks.find((book) => book.type === view.value.type)?.observedAt ?? null;
    const wanted = { trend: trendPath(view.value, newest), ranking: rankingPath(view.value) };
    untracked(() => {
      trends.load(wanted.trend);
      rankings.load(wanted.ranking);
    });
  });

  effect(() => {
    const { loading, data, problem } = status.state.value;
    if (loading || loginNeeded.value) return;
    const isSeeding = data === null || data.seeding !== null;
    const pollMs = isSeeding ? seedingPollMs : problem === null ? idlePollMs : retryPollMs;
    const timer = window.setTimeout(() => status.load('/api/status'), pollMs);
    return () => window.clearTimeout(timer);
  });

  const minutesSinceStatus = signal(0);
  effect(() => {
    if (known.value === null) return;
    const answeredAt = Date.now();
    const count = () => {
      minutesSinceStatus.value = Math.max(0, Math.floor((Date.now() - answeredAt) / 60_000));
    };
    count();
    const timer = window.setInterval(count, 15_000);
    return () => window.clearInterval(timer);
  });

  status.load('/api/status');

  return {
    api,
    view,
    change(part) {
      view.value = { ...view.value, ...part };
      window.history.pushState(null, '', viewQuery(view.value));
    },
    status,
    minutesSinceStatus,
    trends,
    rankings,
    loginNeeded,
    loggedIn() {
      loginNeeded.value = false;
      status.load('/api/status');
    },
  };
}
