import { listRuleAlerts } from '../../client/operations.js';
import type { Alert, Rule } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { pathTo } from '../core/path-to.ts';
import { useAnswer } from '../core/use-answer.ts';
import { usePages } from '../core/use-pages.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Moment } from '../parts/moment.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { Awaited, Notice } from '../parts/notice.tsx';
import { baselineWithUnit, valueWithUnit } from './metric-words.ts';
import { sentWords } from './sent-words.ts';

/** When a rule fired, newest first. */
export function RuleAlerts({
  app,
  rule: { id, kind },
  isPlural,
}: {
  app: App;
  rule: Rule;
  /** Whether its watch follows several markets. */
  isPlural: boolean;
}) {
  const answer = useAnswer(app, pathTo(listRuleAlerts, { id, limit: 25 }), app.landed.value);
  const pages = usePages(app, answer);
  return (
    <Awaited answer={answer} what="the history">
      {() =>
        pages.items.length === 0 ? (
          <Notice title="Has not fired yet" />
        ) : (
          <>
            <DataTable
              label="When the alert fired"
              stacks
              rows={pages.items}
              keyOf={({ id }) => id}
              columns={[
                { head: 'Time', heads: true, cell: ({ at }) => <Moment t={at} /> },
                ...(isPlural ? [{ head: 'Market', cell: ({ market }: Alert) => market }] : []),
                { head: 'Message', cell: ({ title }) => <span class="wrapped long">{title}</span> },
                { head: 'Value', number: true, cell: ({ value, unit }) => valueWithUnit(value, unit) },
                {
                  head: 'Baseline',
                  number: true,
                  cell: ({ baseline, unit }) => baselineWithUnit(kind, baseline, unit),
                },
                { head: 'Sent', cell: sentWords },
              ]}
            />
            <MoreButton pages={pages} />
          </>
        )
      }
    </Awaited>
  );
}
