import { changedQuery, hrefOf } from '../core/address.ts';
import type { Status } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { basePath } from '../core/base-path.ts';
import { nextOfMarket } from '../core/market-schedule.ts';
import { type ThemeName, themes } from '../core/theme.ts';
import { formatAge, formatDay, formatExpected, formatUtc } from '../core/times.ts';
import { CommandSearch } from './command-search.tsx';
import { Icon } from './icon.tsx';
import { Moment } from './moment.tsx';
import type { NavItem } from './nav-item.ts';
import { SaysMore } from './says-more.tsx';

const modeLabels = { simulated: 'simulated', replay: 'recorded', live: 'live' } as const;
const themeLabels: Record<ThemeName, string> = { auto: 'Auto', light: 'Light', dark: 'Dark' };

interface Props {
  app: App;
  status: Status | null;
  /** Minutes that the data became older since the status. */
  minutesSince?: number;
  items: readonly NavItem[];
  path: string;
}

/** The page's header: the program, its views, the market and its mode, and the age of the data. */
export function Masthead({ app, status, minutesSince = 0, items, path }: Props) {
  const theme = app.theme.chosen.value;
  const { query, path: shown } = app.address.place.value;
  const queryOf = ({ path: to, compares, keeps }: NavItem): URLSearchParams => {
    const left = keeps === true && to !== shown ? app.address.leftQuery(to) : new URLSearchParams();
    return compares === true ? changedQuery(left, { market: query.getAll('market') }) : left;
  };
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto';
  return (
    <header class="masthead">
      <a class="brand" href="/">
        <img src={`${basePath}/favicon.svg`} alt="" width="24" height="24" />
        Offerbook
      </a>
      {items.length > 0 && (
        <nav aria-label="Main">
          {items.map((item) => (
            <a
              key={item.path}
              href={hrefOf(item.path, queryOf(item))}
              data-label={item.label}
              aria-current={item.path === path ? 'page' : undefined}
              onPointerEnter={item.prepare}
              onFocus={item.prepare}
            >
              {item.label}
            </a>
          ))}
        </nav>
      )}
      <p class="market">
        {status !== null && (
          <>
            <strong>{status.market.name}</strong>
            {status.market.name !== modeLabels[status.mode] && (
              <span class={`mode ${status.mode}`}>{modeLabels[status.mode]}</span>
            )}
            <DataAge status={status} minutesSince={minutesSince} />
          </>
        )}
      </p>
      {items.length > 0 && <CommandSearch app={app} views={items} />}
      <button
        type="button"
        class="theme quiet"
        title={`Theme: ${themeLabels[theme]}. Switch to ${themeLabels[next]}`}
        aria-label={`Theme: ${themeLabels[theme]}`}
        onClick={() => app.theme.choose(next)}
      >
        <Icon name={theme} />
      </button>
    </header>
  );
}

function DataAge({ status, minutesSince }: { status: Status; minutesSince: number }) {
  const newest = status.newestBooks
    .map((book) => book.observedAt)
    .toSorted()
    .at(-1);
  // What is made up first ends at a full hour: its age says nothing.
  if (status.seeding !== null) return <span class="age">making a history…</span>;
  if (newest === undefined) return <span class="age">no prices yet</span>;
  if (status.dataAgeMinutes === null) {
    return (
      <span class="age" title={`Newest book: ${formatUtc(newest)}`}>
        prices of {formatDay(newest)}
      </span>
    );
  }
  return (
    <SaysMore
      class="explained age"
      title={`Newest book of the whole market: ${formatUtc(newest)}; a watch’s own may be newer`}
      more={<BookTimes newest={newest} next={nextOfMarket(status.schedule)} />}
    >
      prices {formatAge(status.dataAgeMinutes + minutesSince)}
    </SaysMore>
  );
}

/** When the whole market was read, and when it is read again; `next` is null where that is not scheduled. */
const BookTimes = ({ newest, next }: { newest: string; next: string | null }) => (
  <>
    The whole market was read <Moment t={newest} />
    {next === null ? ' and is not read again by schedule' : `, and is read again ${formatExpected(next)}`}. A
    watch’s own book may be newer. What you rent is checked with the market at that moment.
  </>
);
