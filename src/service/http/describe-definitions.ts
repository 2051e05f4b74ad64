import { defaultMetric, defaultRanking, metricEntries } from '../../core/metric.ts';
import { filterEntries, type OfferFilterSpec } from '../../core/offer-fields.ts';
import { isList } from '../../core/offer-filter.ts';

/** What the page has to know of filters and metrics, as `web/core/definitions.json` says it: JSON text. */
export function describeDefinitions(): string {
  const filters = filterEntries.map(([name, spec]) => ({
    name,
    label: spec.label,
    kind: kindOf(spec),
    choices: spec.values,
    unit: spec.unit,
    title: spec.hint,
  }));
  const metrics = metricEntries.map(([name, { label, shownUnit, unit, uses }]) => ({
    ...{ name, label, unit: shownUnit, apiUnit: unit, uses },
  }));
  return `${JSON.stringify({ filters, metrics, defaultMetric, defaultRanking }, null, 2)}\n`;
}

/** How a form asks for the values of a filter. */
function kindOf({ operator, values, isWhole }: OfferFilterSpec): string {
  if (operator === 'is') return 'flag';
  if (!isList(operator)) return 'number';
  if (values !== undefined) return 'choices';
  return isWhole === true ? 'numbers' : 'words';
}

const [begin, end] = ['<!-- filters: npm run openapi -->\n', '<!-- end of filters -->'];

/** `docs/api.md` with the table of filters that the code has. */
export function documentFilters(text: string): string {
  const rows = filterEntries.map(([name, { operator, values, keeps }]) => {
    const choices = operator === 'is' ? ['true', 'false'] : (values ?? []);
    const named = choices.map((value) => `\`${value}\``).join(', ');
    return `| \`${name}\` | ${isList(operator) ? 'yes' : ''} | ${keeps}${named && ': '}${named} |\n`;
  });
  const head = [
    '| parameter | repeatable | keeps offers |\n|---|---|---|\n',
    '| `gpuName` | yes | of these models |\n',
    '| `type` | yes | of these pricing types: `on-demand` (default), `bid`, `reserved` |\n',
  ];
  const [before = '', rest = ''] = text.split(begin);
  return [before, begin, ...head, ...rows, end, rest.split(end)[1]].join('');
}
