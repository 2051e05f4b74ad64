import { readText } from '../structure/source-files.ts';

/** A panel of the dashboard with the expressions that it shows. */
export interface DashboardPanel {
  title: string;
  row: string;
  expressions: string[];
}

/** A variable of the dashboard; its values are those of a label. */
export interface DashboardVariable {
  name: string;
  selector: string;
  label: string;
  multi: boolean;
  /** Chosen at first; `$__all`: all values. */
  chosen: string;
}

interface DashboardFile {
  panels: { type: string; title: string; targets?: { expr: string }[] }[];
  templating: {
    list: {
      name: string;
      type: string;
      definition?: string;
      multi: boolean;
      current: { value?: string | string[] };
    }[];
  };
}

/** Returns what the dashboard in docs/prometheus asks Prometheus. */
export function readDashboard(): { panels: DashboardPanel[]; variables: DashboardVariable[] } {
  const { panels, templating } = JSON.parse(readText('docs/prometheus/dashboard.json')) as DashboardFile;
  let row = '';
  const shown: DashboardPanel[] = [];
  for (const { type, title, targets = [] } of panels) {
    if (type === 'row') row = title;
    else shown.push({ title, row, expressions: targets.map(({ expr }) => expr) });
  }
  const variables = templating.list.flatMap(({ name, definition, multi, current }) => {
    const [, selector = '', label = ''] = /^label_values\((.*), (\w+)\)$/.exec(definition ?? '') ?? [];
    const chosen = [current.value ?? '$__all'].flat()[0] ?? '$__all';
    return definition === undefined ? [] : [{ name, selector, label, multi, chosen }];
  });
  return { panels: shown, variables };
}

/** Returns the alerts of docs/prometheus/alerts.yml by name, each with its expression. */
export function readAlerts(): Map<string, string> {
  const rules = readText('docs/prometheus/alerts.yml')
    .split(/^ {6}- alert: /m)
    .slice(1);
  return new Map(
    rules.map((rule) => {
      const [name = ''] = rule.split('\n');
      const [, folded, plain] = /^ {8}expr: (?:>-\n((?: {10}.*\n)+)|(.*)\n)/m.exec(rule) ?? [];
      return [name, (plain ?? folded ?? '').replace(/\s+/g, ' ').trim()];
    }),
  );
}

/** Returns the metrics of an expression, each with the labels that select its series. */
export function metricsOf(expression: string): { name: string; labels: string[] }[] {
  return [...expression.matchAll(/\b((?:offerbook|process|nodejs|scrape)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', selector = '']) => ({
      name,
      labels: [...selector.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label),
    }),
  );
}
