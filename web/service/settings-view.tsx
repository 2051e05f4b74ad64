import { listBlocklist } from '../../client/operations.js';
import type { BlockEntry } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { choosableMarkets, everyMarket } from '../core/market-choice.ts';
import { pathTo } from '../core/path-to.ts';
import { marking, reasonFor } from '../core/permission.ts';
import { themes } from '../core/theme.ts';
import { useAction } from '../core/use-action.ts';
import { useAnswer } from '../core/use-answer.ts';
import { ActButton } from '../parts/act-button.tsx';
import { Allowed, Reason } from '../parts/allowed.tsx';
import { Choice } from '../parts/choice.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Failure } from '../parts/failure.tsx';
import { Moment } from '../parts/moment.tsx';
import { Awaited, Notice } from '../parts/notice.tsx';
import type { ViewProps } from '../parts/view.ts';
import { ViewHead } from '../parts/view-head.tsx';
import { AuditLog } from './audit-log.tsx';
import { InForce } from './in-force.tsx';
import { TokenList } from './token-list.tsx';

const themeLabels = { auto: 'System', light: 'Light', dark: 'Dark' };

/** Theme, tokens, blocked and preferred machines and hosts, configuration, and logout. */
export function SettingsView({ app, status }: ViewProps) {
  const action = useAction(app);
  return (
    <>
      <ViewHead title="Settings">
        <Choice
          legend="Theme"
          name="theme"
          options={themes.map((value) => ({ value, label: themeLabels[value] }))}
          chosen={app.theme.chosen.value}
          choose={app.theme.choose}
        />
        <button
          type="button"
          disabled={action.busy}
          onClick={() =>
            void action.run(async () => {
              await app.api.endSession();
              await app.api.getStatus().catch(() => null);
              return undefined;
            })
          }
        >
          Log out
        </button>
      </ViewHead>
      <Tokens app={app} />
      <BlockList app={app} />
      <section class="card" aria-label="Audit log" id="audit">
        <h2>
          Audit log<small>sign-ins, tokens, and changes of the account; newest first</small>
        </h2>
        <Allowed app={app} permission={auditing}>
          <AuditLog app={app} />
        </Allowed>
      </section>
      {status !== null && <InForce app={app} status={status} />}
    </>
  );
}

const auditing = { to: 'see the audit log', role: 'admin' } as const;
const administering = { to: 'see, create or revoke tokens', role: 'admin' } as const;

function Tokens({ app }: { app: App }) {
  return (
    <section class="card" aria-label="Tokens" id="tokens">
      <h2>
        Tokens<small>for people, programs and feeds; each can be revoked</small>
      </h2>
      <Allowed app={app} permission={administering}>
        <TokenList app={app} />
      </Allowed>
    </section>
  );
}

function BlockList({ app }: { app: App }) {
  const markets = app.markets.value;
  const entries = useAnswer(
    app,
    markets && pathTo(listBlocklist, { limit: 1000, market: everyMarket(markets) }),
  );
  const isPlural = choosableMarkets(markets ?? []).length > 0;
  const action = useAction(app);
  const reason = reasonFor(app, marking);
  return (
    <section class="card" aria-label="Block list" id="blocklist">
      <h2>
        Blocked and preferred<small>rankings leave out blocked machines and mark preferred ones</small>
      </h2>
      {reason !== null && <Reason>{reason}</Reason>}
      <Failure problem={action.problem} />
      <Awaited answer={entries} what="the block list">
        {({ items }) =>
          items.length === 0 ? (
            <Notice title="No blocked or preferred machines">
              {reason === null && (
                <>
                  Open an offer under <a href="/deals">Deals</a> to block or prefer its machine or host.
                </>
              )}
            </Notice>
          ) : (
            <DataTable
              label="Blocked and preferred"
              stacks
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                {
                  head: 'Machine or host',
                  heads: true,
                  cell: ({ machineId, hostId }) =>
                    machineId === null ? `host ${hostId}` : `machine ${machineId}`,
                },
                ...(isPlural ? [{ head: 'Market', cell: ({ market }: BlockEntry) => market }] : []),
                {
                  head: 'Status',
                  field: 'kind',
                  value: ({ kind }) => kind,
                  cell: ({ kind }) => (kind === 'block' ? 'blocked' : 'preferred'),
                },
                { head: 'Note', cell: ({ note }) => <span class="wrapped">{note ?? '–'}</span> },
                { head: 'Since', cell: ({ addedAt }) => <Moment t={addedAt} /> },
                ...(reason === null
                  ? [
                      {
                        head: 'Actions',
                        cell: ({ id }: BlockEntry) => (
                          <ActButton
                            action={action}
                            label="Remove"
                            run={async () => {
                              await app.api.deleteBlocklistEntry({ id });
                              entries.reload();
                              return undefined;
                            }}
                          />
                        ),
                      },
                    ]
                  : []),
              ]}
            />
          )
        }
      </Awaited>
    </section>
  );
}
