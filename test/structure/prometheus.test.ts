import { describe, expect, it } from 'vitest';
import { metricsOf, readAlerts, readDashboard } from '../support/dashboard-queries.ts';
import { readText } from './source-files.ts';

// A test of /metrics compares this page with the metrics of the code, label by label.
const documented = new Map(
  [...readText('docs/metrics.md').matchAll(/^\| `(offerbook_\w+)` \| (.*?) ?\| /gm)].map(
    ([, name = '', labels = '']) => [name, labels === '' ? [] : labels.split(', ')] as const,
  ),
);
const { panels, variables } = readDashboard();
const alerts = readAlerts();

/** Unknown metrics, and labels that a metric does not have. */
function misfitsOf(expression: string): string[] {
  return metricsOf(expression)
    .filter(({ name }) => name.startsWith('offerbook_'))
    .flatMap(({ name, labels }) => {
      const known = documented.get(name.replace(/(_duration_seconds)_(bucket|sum|count)$/, '$1'));
      if (known === undefined) return [`unknown metric ${name}`];
      return labels
        .filter((label) => !known.includes(label) && label !== 'job' && label !== 'le')
        .map((label) => `${name} has no label ${label}`);
    });
}

describe('docs/prometheus', () => {
  it('asks in its dashboard only for metrics and labels that there are', () => {
    expect([...new Set(panels.map(({ row }) => row))]).toEqual(['Market', 'Account', 'Health']);
    expect(panels.length).toBeGreaterThan(30);
    const expressions = [
      ...panels.flatMap((panel) => panel.expressions),
      ...variables.map(({ selector }) => selector),
    ];
    expect(expressions.filter((expression) => metricsOf(expression).length === 0)).toEqual([]);
    expect(expressions.flatMap(misfitsOf)).toEqual([]);
    const used = new Set(
      expressions.flatMap((text) => [...text.matchAll(/\$(\w+)/g)].map(([, name]) => name)),
    );
    expect([...used].sort()).toEqual(variables.map(({ name }) => name).sort());
  });

  it('shows every figure of the market and the account in its dashboard', () => {
    const shown = new Set(
      panels.flatMap(({ expressions }) => expressions.flatMap(metricsOf)).map(({ name }) => name),
    );
    const missing = [...documented.keys()].filter(
      (name) => /_(market|account|instance|spend|balance|budget)_/.test(name) && !shown.has(name),
    );
    expect(missing).toEqual([]);
  });

  it('judges in its rules only metrics and labels that there are, each tested as firing and as silent', () => {
    expect(alerts.size).toBeGreaterThan(15);
    const tests = readText('docs/prometheus/alerts.test.yml');
    for (const [name, expression] of alerts) {
      expect([name, metricsOf(expression).length > 0, misfitsOf(expression)]).toEqual([name, true, []]);
      const [, ...tested] = tests.split(`- alertname: ${name}\n`);
      const isSilent = tested.map((test) => /^\s+eval_time: \w+\n\s+exp_alerts: \[\]/.test(test));
      expect([name, isSilent.includes(false), isSilent.includes(true)]).toEqual([name, true, true]);
    }
  });

  it('notices a metric or label that there is not', () => {
    expect(misfitsOf('sum(offerbook_jobs{state="queued"}) > offerbook_job')).toEqual([
      'unknown metric offerbook_job',
    ]);
    expect(misfitsOf('offerbook_jobs{status="queued"}')).toEqual(['offerbook_jobs has no label status']);
  });
});
