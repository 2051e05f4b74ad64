import { useState } from 'preact/hooks';
import { listTokens } from '../../client/operations.js';
import type { Token } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { countOf, formatLimit } from '../core/figures.ts';
import { pathTo } from '../core/path-to.ts';
import { onceKnown } from '../core/permission.ts';
import { useAnswer } from '../core/use-answer.ts';
import { DataTable } from '../parts/data-table.tsx';
import { DeleteDialog } from '../parts/delete-dialog.tsx';
import { Moment } from '../parts/moment.tsx';
import { Awaited } from '../parts/notice.tsx';
import { TokenForm } from './token-form.tsx';

/** A form for a new token, and all tokens. */
export function TokenList({ app }: { app: App }) {
  const tokens = useAnswer(app, onceKnown(app, pathTo(listTokens, {})));
  const [made, setMade] = useState<string | null>(null);
  const [ending, setEnding] = useState<Token | null>(null);
  return (
    <>
      <TokenForm
        app={app}
        made={(token) => {
          setMade(token);
          tokens.reload();
        }}
      />
      {made !== null && (
        <p class="banner" role="status">
          <strong>Copy it now:</strong> it is shown only once. <code>{made}</code>
        </p>
      )}
      <Awaited answer={tokens} what="the tokens">
        {({ items }) => (
          <DataTable
            label="List of tokens"
            stacks
            rows={items}
            keyOf={({ id }) => id}
            columns={[
              { head: 'Name', heads: true, cell: (token) => <span class="wrapped">{token.name}</span> },
              { head: 'Role', field: 'role', value: ({ role }) => role, cell: ({ role }) => role },
              {
                head: 'Limits',
                cell: (token) => <span class="wrapped">{limitWords(token).join(', ') || 'None'}</span>,
              },
              { head: 'Created', cell: (token) => <Moment t={token.createdAt} /> },
              {
                head: 'Last used',
                field: 'lastUsedFrom',
                value: ({ lastUsedFrom }) => lastUsedFrom,
                cell: ({ lastUsedAt, lastUsedFrom }) => (
                  <>
                    <Moment t={lastUsedAt} none="Never" />
                    {lastUsedFrom !== null && <span class="wrapped"> from {lastUsedFrom}</span>}
                  </>
                ),
              },
              {
                head: 'Status',
                cell: (token) =>
                  token.revokedAt === null ? (
                    <button
                      type="button"
                      class="small danger"
                      aria-label={`Revoke ${token.name}`}
                      onClick={() => setEnding(token)}
                    >
                      Revoke…
                    </button>
                  ) : (
                    <>
                      Revoked <Moment t={token.revokedAt} />
                    </>
                  ),
              },
            ]}
          />
        )}
      </Awaited>
      {ending !== null && (
        <DeleteDialog
          app={app}
          title={`Revoke the token ${ending.name}?`}
          action="Revoke"
          remove={() => app.api.revokeToken({ id: ending.id })}
          said="Token revoked."
          done={() => {
            setEnding(null);
            tokens.reload();
          }}
          close={() => setEnding(null)}
        >
          Everyone who uses it loses access at once, including open sessions. This cannot be undone.
        </DeleteDialog>
      )}
    </>
  );
}

/** What a token is limited to; empty: nothing. */
const limitWords = (token: Token): string[] =>
  [
    token.maxUsdPerHour === null ? null : `${formatLimit(token.maxUsdPerHour)}/hour`,
    token.maxInstances === null ? null : countOf(token.maxInstances, 'instance'),
    token.maxRentsPerDay === null ? null : `${countOf(token.maxRentsPerDay, 'rental')} in 24 hours`,
    token.label === null ? null : `label ${token.label}`,
    token.markets === null ? null : `only on ${token.markets.join(' and ')}`,
  ].filter((words) => words !== null);
