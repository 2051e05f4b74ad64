import { listAuditEntries } from '../../client/operations.js';
import type { App } from '../core/app.ts';
import { pathTo } from '../core/path-to.ts';
import { useAnswer } from '../core/use-answer.ts';
import { usePages } from '../core/use-pages.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Moment } from '../parts/moment.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { Awaited } from '../parts/notice.tsx';
import { detailWords, doneWords, whoWords } from './detail-words.ts';

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
              { head: 'Who', cell: ({ actor }) => <span class="wrapped">{whoWords(actor)}</span> },
              {
                head: 'Action',
                field: 'action',
                value: ({ action }) => action,
                cell: doneWords,
              },
              { head: 'Instance', cell: ({ instanceId }) => instanceId ?? '–' },
              {
                head: 'Detail',
                cell: ({ detail }) => (
                  <>
                    <span class="wrapped long">{detailWords(detail as object)}</span>
                    {Object.keys(detail as object).length > 0 && (
                      <details class="fold">
                        <summary>JSON</summary>
                        <code class="wrapped long">{JSON.stringify(detail)}</code>
                      </details>
                    )}
                  </>
                ),
              },
            ]}
          />
          <MoreButton pages={pages} />
        </>
      )}
    </Awaited>
  );
}
