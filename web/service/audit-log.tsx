import { listAuditEntries } from '../../client/operations.js';
import type { App } from '../core/app.ts';
import { pathTo } from '../core/path-to.ts';
import { onceKnown } from '../core/permission.ts';
import { useAnswer } from '../core/use-answer.ts';
import { usePages } from '../core/use-pages.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Moment } from '../parts/moment.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { Awaited } from '../parts/notice.tsx';
import { detailWords, doneWords, whoWords } from './detail-words.ts';
import { groupAudit } from './group-audit.ts';

/** Who signed in, and who changed tokens or the account, newest first. */
export function AuditLog({ app }: { app: App }) {
  const answer = useAnswer(app, onceKnown(app, pathTo(listAuditEntries, { limit: 10, order: 'desc' })));
  const pages = usePages(app, answer);
  return (
    <Awaited answer={answer} what="the audit log">
      {() => (
        <>
          <DataTable
            label="Entries of the audit log"
            stacks
            rows={groupAudit(pages.items)}
            keyOf={({ entry }) => String(entry.seq)}
            columns={[
              { head: 'At', heads: true, cell: ({ at }) => <Moment t={at} /> },
              { head: 'Who', cell: ({ entry }) => <span class="wrapped">{whoWords(entry.actor)}</span> },
              {
                head: 'Action',
                field: 'action',
                value: ({ entry }) => entry.action,
                cell: ({ entry, instanceId }) => (
                  <>
                    {doneWords(entry.action)}
                    {instanceId !== null && <span class="soft"> instance {instanceId}</span>}
                  </>
                ),
              },
              { head: 'Outcome', cell: ({ outcome }) => <span class="wrapped">{outcome}</span> },
              {
                head: 'Detail',
                cell: ({ detail, records }) => (
                  <>
                    <span class="wrapped long">{detailWords(detail)}</span>
                    {records.some((each) => Object.keys(each.detail as object).length > 0) && (
                      <details class="fold">
                        <summary>JSON</summary>
                        {records.map(({ seq, phase, detail: record }) => (
                          <p key={seq}>
                            <code class="wrapped long">{JSON.stringify({ seq, phase, detail: record })}</code>
                          </p>
                        ))}
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
