import { type ComponentChildren, createContext } from 'preact';
import { useMemo } from 'preact/hooks';
import { listRules, listWatches } from '../../client/operations.js';
import type { Rule, Watch } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { everyMarket } from '../core/market-choice.ts';
import { pathTo } from '../core/path-to.ts';
import { reasonFor, savingWatches } from '../core/permission.ts';
import { useAnswer } from '../core/use-answer.ts';
import type { KnownAlerts } from '../watches/alerts-on.ts';

interface Known extends KnownAlerts {
  /** Reads them again. */
  reload(): void;
}

/** The alerts that exist; null: not known, or the reader may not set up any. */
export const AlertsContext = createContext<Known | null>(null);

/**
 * Reads for all parts below which alerts exist: again after each change in the box of an alert, or under Watches; and, as
 * other browsers change them too, with each status, in each view and when the box is opened.
 */
export function KnownAlertsProvider({ app, children }: { app: App; children: ComponentChildren }) {
  const markets = app.markets.value;
  const isNeeded = markets !== null && reasonFor(app, savingWatches) === null;
  const asked = { limit: 1000, market: isNeeded ? everyMarket(markets) : [] };
  const { path } = app.address.place.value;
  const isBoxOpen = app.alertSubject.value !== null;
  const saidThere = path.startsWith('/watches') && app.said.value.text;
  // Read with each status; while the box is open they move nothing in it.
  const version = useMemo(() => ({}), [path, saidThere, isBoxOpen || markets]);
  const watches = useAnswer<{ items: Watch[] }>(app, isNeeded ? pathTo(listWatches, asked) : null, version);
  const rules = useAnswer<{ items: Rule[] }>(app, isNeeded ? pathTo(listRules, asked) : null, version);
  const known = useMemo(
    (): Known | null =>
      watches.data === null || rules.data === null || markets === null
        ? null
        : {
            rules: rules.data.items,
            watches: watches.data.items,
            markets,
            reload() {
              watches.reload();
              rules.reload();
            },
          },
    [watches.data, rules.data, markets],
  );
  return <AlertsContext.Provider value={known}>{children}</AlertsContext.Provider>;
}
