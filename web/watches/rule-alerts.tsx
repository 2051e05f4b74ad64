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
import { usePast } from './use-past.ts';

/** When a rule fired, newest first. */
export function RuleAlerts({
  app,
  rule: { id, kind, watchId },
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
          <Notice title="Has not fired yet">{watchId !== null && <LastCheck app={app} id={id} />}</Notice>
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

/** The newest book that an alert was checked with, and the value there. */
function LastCheck({ app, id }: { app: App; id: string }) {
  const { latest } = usePast(app, { ruleId: id });
  if (latest === null) return null;
  const { now, unit } = latest;
  return (
    <span data-last-check={now?.at ?? ''}>
      {now === null ? (
        'There is no complete book yet.'
      ) : (
        <>
          Newest book: <Moment t={now.at} />,{' '}
          {now.value === null ? 'no matching offer' : `value ${valueWithUnit(now.value, unit)}`}.
        </>
      )}
    </span>
  );
}
