import { rowsOf } from '../specification-row.ts';

/** Templates. Source: docs/marketplace.md#4-endpoints. */
export const templateEndpointRows = [
  ...rowsOf(
    '4.8',
    {
      'template-search.endpoint': 'GET /api/v0/template',
      'template-search.select_filters': 'JSON object {field: {op: value}} as a query parameter',
      'template-search.templates': 'array of records with id, name and image',
    },
    ['server', 'client'],
  ),
  ...rowsOf('4.8', {
    'template-search.trailing-slash': 'also with a trailing slash',
    'template-operator.eq': 'equal',
    'template-operator.neq': 'not equal',
    'template-operator.lt': 'less than',
    'template-operator.lte': 'less than or equal',
    'template-operator.gt': 'greater than',
    'template-operator.gte': 'greater than or equal',
    'template-operator.in': 'value in list',
    'template-operator.notin': 'value not in list',
    'template-search.columns': 'columns to return; name not shown: select_cols',
    'template-search.all-columns': '["*"] returns all columns',
    'template-search.order': 'column to order by; name not shown: order_by',
    'template-search.public': 'results include publicly shared templates of others',
    'template-search.own': "results include the caller's own templates",
    'template-search.private-hidden': 'private templates of others are not among the results',
    'template-search.success': 'the response has success',
    'template-search.templates_found': 'integer: how many',
  }),
  ...rowsOf(
    '4.9',
    {
      'template-create.endpoint': 'POST /api/v0/template/ with the fields of section 2.3',
      'template-create.id': 'the response has template.id, integer',
      'template-create.hash_id': 'the response has template.hash_id, string',
    },
    ['server', 'client'],
  ),
  ...rowsOf(
    '4.10',
    {
      'template-edit.endpoint': 'PUT /api/v0/template/ with hash_id',
      'template-edit.new-hash': 'the response has template with the new hash_id',
    },
    ['server', 'client'],
  ),
  ...rowsOf('4.10', {
    'template-edit.hash_id-required': 'hash_id is required',
    'template-edit.unspecified-kept': 'unspecified fields keep their values',
    'template-edit.given-changed': 'the given fields change',
    'template-edit.old-hash-void': 'the old hash_id no longer names the template',
  }),
  ...rowsOf(
    '4.11',
    {
      'template-delete.endpoint': 'DELETE /api/v0/template/ with template_id',
      'template-delete.success': 'the response has success',
    },
    ['server', 'client'],
  ),
  ...rowsOf('4.11', {
    'template-delete.numeric': 'template_id is the numeric id, not the hash',
    'template-delete.gone': 'a deleted template is no longer found',
  }),
];
