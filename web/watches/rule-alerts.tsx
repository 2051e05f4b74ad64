import { listRuleAlerts } from '../../client/operations.js';
import type { Alert, Rule } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { pathTo } from '../core/path-to.ts';
import { useAnswer } from '../core/use-answer.ts';
import { useLive } from '../core/use-live.ts';
import { usePages } from '../core/use-pages.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Moment } from '../parts/moment.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { Awaited, Notice } from '../parts/notice.tsx';
import { baselineName, baselineWithUnit, valueWithUnit } from './metric-words.ts';
import { valueNameOf } from './rule-kinds.ts';
import { sentWords } from './sent-words.ts';
import { usePast } from './use-past.ts';

/** When a rule fired, newest first. */
export function RuleAlerts({
  app,
  rule,
  isPlural,
}: {
  app: App;
  rule: Rule;
  /** Whether its watch follows several markets. */
  isPlural: boolean;
}) {
  const { id, kind, watchId } = rule;
  const valueName = valueNameOf(rule);
  const last = watchId !== null && <LastCheck app={app} rule={rule} />;
  const version = `${app.landed.value} ${useLive(['alert', 'delivery']).changed}`;
  const answer = useAnswer(app, pathTo(listRuleAlerts, { id, limit: 25 }), version);
  const pages = usePages(app, answer);
  return (
    <Awaited answer={answer} what="the history">
      {() =>
        pages.items.length === 0 ? (
          <Notice title="Has not fired yet">{last}</Notice>
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
                { head: valueName, number: true, cell: ({ value, unit }) => valueWithUnit(value, unit) },
                {
                  head: baselineName(kind),
                  number: true,
                  cell: ({ baseline, unit }) => baselineWithUnit(kind, baseline, unit),
                },
                {
                  head: 'Delivery',
                  cell: (alert) => <span class="wrapped long">{sentWords(alert)}</span>,
                },
              ]}
            />
            <MoreButton pages={pages} />
            <p class="caption">{last}</p>
          </>
        )
      }
    </Awaited>
  );
}

/** The newest book that an alert was checked with, and what it compared there. */
function LastCheck({ app, rule }: { app: App; rule: Rule }) {
  const { latest } = usePast(app, { ruleId: rule.id });
  if (latest === null) return null;
  const { now, unit } = latest;
  return (
    <span data-last-check={now?.at ?? ''}>
      {now === null ? (
        'There is no complete book yet.'
      ) : (
        <>
          {rule.enabled ? 'Last checked with the' : 'Off, so not checked; newest'} book of{' '}
          <Moment t={now.at} />:{' '}
          {now.value === null
            ? 'no matching offer'
            : `${valueNameOf(rule).toLowerCase()} ${valueWithUnit(now.value, unit)}`}
          . It may be newer than the one that Deals and Market show.
        </>
      )}
    </span>
  );
}
