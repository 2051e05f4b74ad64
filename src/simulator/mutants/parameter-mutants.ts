import { invoiceServices } from '../account/payments.ts';
import { templateFieldNames, templateFields } from '../account/template-fields.ts';
import { templateSearchKinds } from '../account/templates.ts';
import type { Mutant } from '../mutant-switch.ts';
import { comparisonOperators } from '../plain-comparison.ts';
import { filterFields } from '../search-fields.ts';

function each(
  names: readonly string[],
  id: string,
  section: string,
  breaks: (name: string) => string,
): Mutant[] {
  return names.map((name) => ({ id: `${id}:${name}`, section, breaks: breaks(name) }));
}

const requiredFields = templateFieldNames.filter((name) => 'required' in templateFields[name]);
const services = ['eq', 'neq', 'in', 'notin'];
const ranges = ['gte', 'gt', 'lte', 'lt'];

/** The first parts of the paths under `/api/v0/`, by what section 9 calls them. */
export const versionedPaths = {
  instances: ['instances', 'asks'],
  offers: ['bundles'],
  templates: ['template'],
  volumes: ['volumes'],
} as const;

/** Mutants that break one parameter of many alike: `rule:parameter`. */
export const parameterMutants: readonly Mutant[] = [
  ...each(
    filterFields,
    'filter-ignored',
    '4.2',
    (name) => `the filter ${name} of the offer search is ignored`,
  ),
  ...each(
    comparisonOperators,
    'operator-wrong',
    '4.2',
    (name) => `${name} of the offer search is another operator`,
  ),
  ...each(
    ['PUT', 'POST'],
    'create-method-refused',
    '4.3',
    (name) => `an instance cannot be created by ${name}`,
  ),
  ...each(
    requiredFields,
    'template-field-optional',
    '2.3',
    (name) => `a template is created without ${name}`,
  ),
  ...each(
    templateFieldNames,
    'template-field-unchecked',
    '2.3',
    (name) => `${name} of a template takes a value of any type`,
  ),
  ...each(['tag', 'runtype', 'recommended_disk_space'], 'template-default-other', '2.3', (name) => {
    return `${name} of a template has another default`;
  }),
  ...each(Object.keys(templateSearchKinds), 'template-filter-ignored', '4.8', (name) => {
    return `the filter ${name} of the template search is ignored`;
  }),
  ...each(comparisonOperators, 'template-operator-wrong', '4.8', (name) => {
    return `${name} of the template search is another operator`;
  }),
  ...each(['create_new', 'volume_id', 'size', 'mount_path'], 'volume-info-unchecked', '2.5', (name) => {
    return `${name} of volume_info is not checked`;
  }),
  ...each(
    ['null', 'loading', 'running', 'exited', 'unknown', 'offline'],
    'status-word-other',
    '3',
    (name) => {
      return `actual_status has another word for ${name}`;
    },
  ),
  ...each(
    [...ranges.map((operator) => `when.${operator}`), ...services.map((operator) => `service.${operator}`)],
    'invoices-filter-ignored',
    '4.12',
    (name) => `the invoice filter ${name} is ignored`,
  ),
  ...each(invoiceServices, 'invoice-service-refused', '4.12', (name) => `the service ${name} is refused`),
  ...each(['on-demand', 'ondemand', 'bid', 'reserved'], 'search-type-refused', '4.2', (name) => {
    return `the pricing type ${name} is refused`;
  }),
  ...each(Object.keys(versionedPaths), 'under-v1', '9', (name) => `${name} are under /api/v1/`),
  ...each(['paid_on', 'amount_cents', 'when'], 'invoices-sort-ignored', '4.12', (name) => {
    return `the invoice order by ${name} is ignored`;
  }),
];
