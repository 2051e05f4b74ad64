import type { EndpointName } from '../endpoints/endpoint-name.ts';
import { offerFields } from './offer-fields.ts';

/** A mutant that changes a good answer on its way out. */
interface AnswerMutant {
  id: string;
  section: string;
  breaks: string;
  endpoints: readonly EndpointName[];
  /** Where the field is: names, and `*` for every row of a list. */
  path: readonly string[];
  change: 'missing' | 'mistyped';
}

const answer = (
  prefix: string,
  section: string,
  endpoints: readonly EndpointName[],
  fields: readonly string[],
  parent: readonly string[] = [],
): AnswerMutant[] =>
  fields.flatMap((field) =>
    (['missing', 'mistyped'] as const).map((change) => ({
      id: `${prefix}-${change}:${field}`,
      section,
      breaks: `${field} of ${prefix} is ${change}`,
      endpoints,
      path: [...parent, ...field.split('.')],
      change,
    })),
  );

/** Null in the reference listing: their types are not shown, so only their absence is wrong. */
const untyped = [
  'bundled_results',
  'external',
  'hostname',
  'webpage',
  'cluster_id',
  'nw_disk_min_bw',
  'nw_disk_max_bw',
  'nw_disk_avg_bw',
];

/** Mutants of the fields of answers, `<what>-missing:<field>` and `<what>-mistyped:<field>`. */
export const answerMutants: readonly AnswerMutant[] = [
  ...answer('offer-field', '2.1', ['searchOffers'], offerFields, ['offers', '*']).filter(
    ({ change, path }) => change === 'missing' || !untyped.includes(path.at(-1) ?? ''),
  ),
  ...answer('search-answer', '4.2', ['searchOffers'], ['offers']),
  ...answer(
    'instance-field',
    '2.2',
    ['getInstance'],
    ['actual_status', 'ssh_host', 'ssh_port'],
    ['instances'],
  ),
  ...answer(
    'create-instance-answer',
    '4.3',
    ['createInstance'],
    ['success', 'new_contract', 'instance_api_key'],
  ),
  ...answer('list-instances-answer', '4.4', ['listInstances'], ['instances_found', 'instances']),
  ...answer('get-instance-answer', '4.5', ['getInstance'], ['instances']),
  ...answer('change-instance-answer', '4.6', ['changeInstance'], ['success']),
  ...answer('destroy-instance-answer', '4.7', ['destroyInstance'], ['success']),
  ...answer(
    'search-templates-answer',
    '4.8',
    ['searchTemplates'],
    ['success', 'templates_found', 'templates'],
  ),
  ...answer('found-template', '4.8', ['searchTemplates'], ['id', 'name', 'image'], ['templates', '*']),
  ...answer(
    'create-template-answer',
    '4.9',
    ['createTemplate'],
    ['template', 'template.id', 'template.hash_id'],
  ),
  ...answer('edit-template-answer', '4.10', ['editTemplate'], ['template', 'template.hash_id']),
  ...answer('delete-template-answer', '4.11', ['deleteTemplate'], ['success']),
  ...answer('create-volume-answer', '4.1', ['createVolume'], ['success']),
  ...answer('volume', '2.4', ['createVolume'], ['volume_name']),
  ...answer(
    'list-invoices-answer',
    '4.12',
    ['listInvoices'],
    ['success', 'count', 'total', 'next_token', 'results'],
  ),
  ...answer(
    'invoice-field',
    '2.6',
    ['listInvoices'],
    [
      'start',
      'end',
      'type',
      'source',
      'description',
      'amount',
      'metadata',
      'metadata.invoice_id',
      'metadata.service',
      'items',
    ],
    ['results', '*'],
  ),
  ...(['searchOffers', 'searchTemplates'] as const).flatMap((endpoint) =>
    answer(
      endpoint === 'searchOffers' ? 'search-error' : 'template-error',
      '7',
      [endpoint],
      ['error', 'msg'],
    ),
  ),
  ...answer('template-error', '7', ['searchTemplates'], ['success']),
  ...answer('wrong-key-answer', '7', ['listInstances'], ['error', 'msg']),
];

/** A copy of an answer's body with the field gone, or with a value of another type. */
export function mutateAnswer(
  body: unknown,
  { path, change }: Pick<AnswerMutant, 'path' | 'change'>,
): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return mistype(body);
  if (name === '*')
    return Array.isArray(body) ? body.map((row: unknown) => mutateAnswer(row, { path: rest, change })) : body;
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return body;
  const fields = body as Readonly<Record<string, unknown>>;
  if (rest.length > 0) return { ...fields, [name]: mutateAnswer(fields[name], { path: rest, change }) };
  if (change === 'mistyped') return { ...fields, [name]: mistype(fields[name]) };
  const { [name]: _gone, ...others } = fields;
  return others;
}

/** Text for everything but text, which becomes a number; flags and lists too. */
function mistype(value: unknown): unknown {
  if (typeof value === 'string') return 7;
  if (Array.isArray(value)) return { '0': value[0] ?? null };
  return typeof value === 'object' && value !== null ? [value] : String(value);
}
