import { hrefOf } from '../core/address.ts';
import type { Actions, Instance, Watch } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { countOf } from '../core/figures.ts';
import { crawling, managing, reasonFor, savingWatches } from '../core/permission.ts';
import { themes } from '../core/theme.ts';
import type { NavItem } from '../parts/nav-item.ts';
import { keyOf, nameOf } from '../rentals/instances/instance-rows.ts';
import type { Command } from './command.ts';

/** What the commands are made of; null: not known, or not there. */
export interface Listed {
  views: readonly NavItem[];
  watches: readonly Watch[];
  instances: readonly Instance[];
  actions: Actions | null;
}

/** Returns every command that the reader may use: pinned models first, then views, instances, watches and actions. */
export function listCommands(app: App, { views, watches, instances, actions }: Listed): Command[] {
  const { go } = app.address;
  const open = (href: string) => () => {
    go(href);
    return undefined;
  };
  return [
    ...modelCommands(app, open),
    ...views.map(
      ({ path, label }): Command => ({ id: path, kind: 'View', label, words: 'go to open', run: open(path) }),
    ),
    ...instances.map(
      (instance): Command => ({
        id: `instance ${keyOf(instance)}`,
        kind: 'Instance',
        label: nameOf(instance),
        words: `${instance.instanceId ?? ''} ${instance.gpuName ?? ''} ${instance.state} machine ${instance.machineId ?? ''}`,
        run: open(instance.instanceId === null ? '/instances' : `/instances/${instance.instanceId}`),
      }),
    ),
    ...watches.map(
      ({ id, name, filters }): Command => ({
        id: `watch ${id}`,
        kind: 'Watch',
        label: name,
        words: (filters.gpuName ?? []).join(' '),
        run: open(`/watches/${id}`),
      }),
    ),
    ...actionCommands(app, actions, open),
  ];
}

type Open = (href: string) => Command['run'];

/** A model, its deals and an alert on it; the models that are not pinned wait for a search. */
function modelCommands(app: App, open: Open): Command[] {
  const status = app.status.state.value.data;
  const pinned = status === null ? [] : app.pinned.of(status.market.name);
  const names = [...new Set([...pinned, ...(status?.gpuNames ?? [])])];
  const mayAct = reasonFor(app, savingWatches) === null;
  const models = names.map((name): Command => {
    const isPinned = pinned.includes(name);
    return {
      id: `model ${name}`,
      kind: 'Model',
      label: name,
      words: 'trends prices',
      isPinned,
      isRare: !isPinned,
      run: open(hrefOf('/trends', new URLSearchParams({ gpuName: name }))),
    };
  });
  const more = names.flatMap((name): Command[] => {
    const query = new URLSearchParams({ gpuName: name });
    return [
      {
        id: `deals ${name}`,
        kind: 'View',
        label: `Deals of ${name}`,
        isRare: true,
        run: open(hrefOf('/deals', query)),
      },
      ...(mayAct
        ? [
            {
              id: `alert ${name}`,
              kind: 'Action' as const,
              label: `Alert me on ${name}`,
              words: 'notify watch',
              isRare: true,
              run: () => {
                app.alertSubject.value = { kind: 'offers', name, query, asksReliable: true };
                return undefined;
              },
            },
          ]
        : []),
    ];
  });
  return [...models, ...more];
}

function actionCommands(app: App, actions: Actions | null, open: Open): Command[] {
  const saves = reasonFor(app, savingWatches) === null;
  const crawls = reasonFor(app, crawling) === null;
  const action = (label: string, words: string, run: Command['run']): Command => ({
    id: `action ${label}`,
    kind: 'Action',
    label,
    words,
    run,
  });
  return [
    ...(crawls ? [action('Crawl now', 'refresh update books', () => crawlNow(app))] : []),
    ...switchCommands(app, actions, open),
    ...(saves ? [action('New watch', 'add create alert', open('/watches/new'))] : []),
    ...themes
      .filter((theme) => theme !== app.theme.chosen.value)
      .map((theme) =>
        action(
          theme === 'auto' ? 'Switch to the system’s theme' : `Switch to ${theme}`,
          'theme colors',
          () => {
            app.theme.choose(theme);
            return undefined;
          },
        ),
      ),
    action('Log out', 'sign out leave session', async () => {
      await app.api.endSession();
      // The next answer is a 401, which shows the login.
      await app.api.getStatus().catch(() => null);
      return '';
    }),
  ];
}

async function crawlNow(app: App): Promise<string> {
  const { crawlIds } = await app.api.startCrawl({ body: {} });
  app.expectBooks();
  return `${countOf(crawlIds.length, 'crawl')} queued. The page updates when the new books arrive.`;
}

/** Asks whether to stop new rentals, or allows them again. */
function switchCommands(app: App, actions: Actions | null, open: Open): Command[] {
  if (actions === null || !actions.setting) return [];
  const { enabled } = actions;
  if (reasonFor(app, managing) !== null) return [];
  return [
    {
      id: 'action rentals',
      kind: 'Action',
      label: enabled ? 'Disable new rentals…' : 'Enable new rentals again',
      words: enabled ? 'stop kill switch renting' : 'allow renting',
      run: enabled
        ? open('/instances?rentals=disable')
        : async () => {
            await app.api.switchActions({ body: { enabled: true } });
            return 'New rentals are enabled.';
          },
    },
  ];
}
