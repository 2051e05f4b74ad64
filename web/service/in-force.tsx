import { getActions } from '../../client/operations.js';
import { scopeInWords } from '../books/other-schedules.ts';
import type { Status } from '../core/api.ts';
import type { App } from '../core/app.ts';
import definitions from '../core/definitions.json' with { type: 'json' };
import { formatUsd } from '../core/figures.ts';
import { pathTo } from '../core/path-to.ts';
import { formatLength } from '../core/times.ts';
import { useAnswer } from '../core/use-answer.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Moment } from '../parts/moment.tsx';

/** The service's limits and schedules, as its settings set them at start. */
export function InForce({ app, status }: { app: App; status: Status }) {
  const { data: actions } = useAnswer(app, pathTo(getActions, {}));
  const limits = actions?.limits ?? null;
  const limit = (value: number | null | undefined, unit: string) => {
    if (actions === null) return '–';
    if (value === null || value === undefined) return 'No limit';
    return unit === '$/hour' ? `${formatUsd(value)}/hour` : String(value);
  };
  const facts: { name: string; text: string; field?: string }[] = [
    { name: 'Renting', text: actions === null ? '–' : actions.setting ? 'On' : 'Off (ACTIONS)' },
    ...definitions.limits.map(({ name, label, unit }) => ({
      name: label,
      field: name,
      text: limit(limits?.[name as keyof typeof limits], unit),
    })),
    { name: 'Data is stale after', text: formatLength(status.maxDataAgeMinutes) },
  ];
  return (
    <section class="card" aria-label="Configuration" id="in-force">
      <h2>
        Configuration
        <small>
          set by environment variables at start; <a href="/api/docs/settings.md">see all of them</a>
        </small>
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
          label="Schedule"
          id="schedule-table"
          stacks
          rows={status.schedule}
          keyOf={({ kind, scope, type }) => `${kind} ${scope} ${type}`}
          columns={[
            {
              head: 'Scheduled job',
              heads: true,
              cell: ({ kind, scope, type }) =>
                [kind, type, kind === 'offers' ? scopeInWords(scope) : null]
                  .filter((part) => part !== null)
                  .join(', '),
            },
            { head: 'Cron', cell: ({ cron, timeZone }) => `${cron}, ${timeZone}` },
            { head: 'Next', cell: ({ nextAt }) => <Moment t={nextAt} none="Not scheduled" expected /> },
            {
              head: 'Note',
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
