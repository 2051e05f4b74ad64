import { listAuditEntries } from '../../client/operations.js';
import type { AuditEntry } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { pathTo } from '../core/path-to.ts';
import { useAnswer } from '../core/use-answer.ts';
import { usePages } from '../core/use-pages.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Moment } from '../parts/moment.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { Awaited } from '../parts/notice.tsx';

/** Who signed in, and who changed tokens or the account, newest first. */
export function AuditLog({ app }: { app: App }) {
  const answer = useAnswer(app, pathTo(listAuditEntries, { limit: 20, order: 'desc' }));
  const pages = usePages(app, answer);
  return (
    <Awaited answer={answer} what="the audit log">
      {() => (
        <>
          <DataTable
            label="Entries of the audit log"
            stacks
            rows={pages.items}
            keyOf={({ seq }) => String(seq)}
            columns={[
              { head: 'At', heads: true, cell: ({ at }) => <Moment t={at} /> },
              { head: 'Who', cell: ({ actor }) => <span class="wrapped">{actor}</span> },
              {
                head: 'Action',
                field: 'action',
                value: ({ action }) => action,
                cell: ({ action, phase }) => (phase === 'refused' ? `${action} (refused)` : action),
              },
              { head: 'Instance', cell: ({ instanceId }) => instanceId ?? '–' },
              { head: 'Detail', cell: (entry) => <span class="wrapped">{detailOf(entry)}</span> },
            ]}
          />
          <MoreButton pages={pages} />
        </>
      )}
    </Awaited>
  );
}

/** `way: token, address: 203.0.113.7` */
const detailOf = ({ detail }: AuditEntry): string =>
  Object.entries(detail as Record<string, unknown>)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
