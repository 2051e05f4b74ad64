import type { EndpointName } from '../../../src/simulator/endpoints/endpoint-name.ts';
import type { Mutant } from './mutant.ts';
import { offerFields } from './offer-fields.ts';

const changeField = new URL('./change-field.ts', import.meta.url).href;
const entry = 'export async function answerCall(';

/** Changes the answers of an endpoint: successes, or refusals if requested. */
function patchOf(endpoint: EndpointName, section: string, path: readonly string[], change: string): string {
  const wanted = section === '7' ? 'answer.status !== 200' : 'answer.status === 200';
  return `
import { changeField } from '${changeField}';
export async function answerCall(call, gate, request) {
  const given = await answerUnbroken(call, gate, request);
  const { answer } = given;
  if (call.route.endpoint !== '${endpoint}' || !('body' in answer) || !(${wanted})) return given;
  const body = changeField(answer.body, ${JSON.stringify(path)}, '${change}');
  return { ...given, answer: { ...answer, body } };
}
async function answerUnbroken(`;
}

const answer = (
  prefix: string,
  section: string,
  endpoint: EndpointName,
  fields: readonly string[],
  parent: readonly string[] = [],
): Mutant[] =>
  fields.flatMap((field) =>
    (['missing', 'mistyped'] as const).map((change) => ({
      id: `${prefix}-${change}:${field}`,
      section,
      breaks: `${field} of ${prefix} is ${change}`,
      patches: [
        {
          file: 'api-answer.ts',
          from: entry,
          to: patchOf(endpoint, section, [...parent, ...field.split('.')], change),
        },
      ],
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
export const answerMutants: readonly Mutant[] = [
  ...answer('offer-field', '2.1', 'searchOffers', offerFields, ['offers', '*']).filter(
    ({ id }) => !untyped.some((field) => id === `offer-field-mistyped:${field}`),
  ),
  ...answer('search-answer', '4.2', 'searchOffers', ['offers']),
  ...answer('instance-field', '2.2', 'getInstance', ['actual_status', 'ssh_host', 'ssh_port'], ['instances']),
  ...answer('create-instance-answer', '4.3', 'createInstance', [
    'success',
    'new_contract',
    'instance_api_key',
  ]),
  ...answer('list-instances-answer', '4.4', 'listInstances', ['instances_found', 'instances']),
  ...answer('get-instance-answer', '4.5', 'getInstance', ['instances']),
  ...answer('change-instance-answer', '4.6', 'changeInstance', ['success']),
  ...answer('destroy-instance-answer', '4.7', 'destroyInstance', ['success']),
  ...answer('search-templates-answer', '4.8', 'searchTemplates', ['success', 'templates_found', 'templates']),
  ...answer('found-template', '4.8', 'searchTemplates', ['id', 'name', 'image'], ['templates', '*']),
  ...answer('create-template-answer', '4.9', 'createTemplate', [
    'template',
    'template.id',
    'template.hash_id',
  ]),
  ...answer('edit-template-answer', '4.10', 'editTemplate', ['template', 'template.hash_id']),
  ...answer('delete-template-answer', '4.11', 'deleteTemplate', ['success']),
  ...answer('create-volume-answer', '4.1', 'createVolume', ['success']),
  ...answer('volume', '2.4', 'createVolume', ['volume_name']),
  ...answer('list-invoices-answer', '4.12', 'listInvoices', [
    'success',
    'count',
    'total',
    'next_token',
    'results',
  ]),
  ...answer(
    'invoice-field',
    '2.6',
    'listInvoices',
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
    answer(endpoint === 'searchOffers' ? 'search-error' : 'template-error', '7', endpoint, ['error', 'msg']),
  ),
  ...answer('template-error', '7', 'searchTemplates', ['success']),
  ...answer('wrong-key-answer', '7', 'listInstances', ['error', 'msg']),
];
