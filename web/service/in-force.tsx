import type { Actions, Status } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { formatUsd } from '../core/figures.ts';
import { formatLength } from '../core/times.ts';
import { useAnswer } from '../core/use-answer.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Moment } from '../parts/moment.tsx';

/** What the settings of the service make it do: its limits, and what it does when. They are changed at its start. */
export function InForce({ app, status }: { app: App; status: Status }) {
  const { data: actions } = useAnswer<Actions>(app, '/api/actions');
  const limits = actions?.limits ?? null;
  const limit = (value: number | null | undefined, text: (value: number) => string) =>
    actions === null ? '–' : value === null || value === undefined ? 'no limit' : text(value);
  const facts: { name: string; text: string; field?: string }[] = [
    { name: 'Renting', text: actions === null ? '–' : actions.setting ? 'on' : 'off (ACTIONS)' },
    {
      name: 'One instance at most',
      field: 'maxUsdPerHour',
      text: limit(limits?.maxUsdPerHour, (usd) => `${formatUsd(usd)} an hour`),
    },
    {
      name: 'All at most',
      field: 'maxTotalUsdPerHour',
      text: limit(limits?.maxTotalUsdPerHour, (usd) => `${formatUsd(usd)} an hour`),
    },
    {
      name: 'Instances at most',
      field: 'maxInstances',
      text: limit(limits?.maxInstances, String),
    },
    { name: 'Data is old after', text: formatLength(status.maxDataAgeMinutes) },
  ];
  return (
    <section class="card" aria-label="Settings in force" id="in-force">
      <h2>
        In force<small>set at the start of the service, by variables; docs/settings.md has them all</small>
      </h2>
      <dl class="figures">
        {facts.map(({ name, text, field }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd data-limit={field}>{text}</dd>
          </div>
        ))}
      </dl>
      {status.schedule.length > 0 && (
        <DataTable
          label="What it does by itself"
          id="schedule-table"
          stacks
          rows={status.schedule}
          keyOf={({ kind, scope, type }) => `${kind} ${scope} ${type}`}
          columns={[
            {
              head: 'by itself',
              heads: true,
              cell: ({ kind, scope, type }) =>
                [kind, type, scope === 'default' ? null : scope?.replace(/^models:/, '')]
                  .filter((part) => part !== null && part !== undefined)
                  .join(', '),
            },
            { head: 'cron', cell: ({ cron, timeZone }) => `${cron}, ${timeZone}` },
            { head: 'next', cell: ({ nextAt }) => <Moment t={nextAt} none="not planned" /> },
            {
              head: 'remark',
              class: () => 'wraps',
              cell: ({ reason, everyMinutes }) =>
                reason === null ? '–' : `every ${formatLength(everyMinutes ?? 0)}: ${reason}`,
            },
          ]}
        />
      )}
    </section>
  );
}
