import { rowsOf } from '../specification-row.ts';

const endpoints = {
  'volume-create': 'create volume',
  search: 'offer search',
  create: 'create instance',
  list: 'list instances',
  get: 'get instance',
  stop: 'stop instance',
  destroy: 'destroy instance',
  'template-search': 'search templates',
  'template-create': 'create template',
  'template-edit': 'edit template',
  'template-delete': 'delete template',
  invoices: 'list invoices',
};

const each = (prefix: string, promise: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(endpoints).map(([id, name]) => [`${prefix}.${id}`, `${name}: ${promise}`]),
  );

/** Keys, events, errors, limits and versions. */
export const crossCuttingRows = [
  ...rowsOf('5', each('bearer', 'requires the header Authorization: Bearer <API_KEY>'), ['server', 'client']),
  ...rowsOf('5', each('wrong-key', 'HTTP 401 or 403 with the message Invalid user key')),
  ...rowsOf('5', {
    'key.scoped': 'scoped keys: template search needs user_read',
    'key.scoped-right': 'a scoped key with the permission is let in',
    'key.instance-own': 'instance_api_key may start, stop or destroy its instance',
    'key.instance-other': 'instance_api_key may not touch another instance',
    'key.container-env': 'instance_api_key is injected into the container as CONTAINER_API_KEY',
    'key.instance-nothing-else': 'instance_api_key may do nothing else',
  }),
  ...rowsOf('6', {
    'event.start-script': "a start script may call a caller-owned address: it is the caller's code",
  }),
  ...rowsOf(
    '7',
    {
      'error.search-json': "search body that is not JSON: {error: 'invalid_request', msg}",
      'error.wrong-key': 'unknown key: 401 or 403, a body with error and msg',
      'error.template-search': 'template search failure: {success: false, error, msg}',
      'error.too-many': 'too many requests: {detail} naming an endpoint threshold',
      'error.invoices-when': 'invoices with missing or invalid when: HTTP 200 with success false',
      'error.template_id': 'create with template_id instead of template_hash_id is an error',
      'error.dead-instance': 'exited, unknown, offline are no HTTP error',
    },
    ['server', 'client'],
  ),
  ...rowsOf('7', {
    'error.template-search-second': 'a second failure of the template search with this shape',
  }),
  ...rowsOf(
    '8',
    {
      'limit.onstart': 'instance create: onstart at most 4048 characters',
      'limit.template-onstart': 'template: onstart at most 4048 characters',
      'limit.invoices-page': 'invoice limit: minimum 1',
    },
    ['server', 'client'],
  ),
  ...rowsOf('8', {
    'limit.disk-default': 'instance disk defaults to 8 GB',
    'limit.volume-size-default': 'volume size defaults to 15 GB',
    'limit.recommended-disk-default': 'recommended_disk_space defaults to 8 GB',
    'limit.threshold': 'template search: the throttled response names a threshold of 3.0',
  }),
  ...rowsOf(
    '9',
    {
      'version.v0-instances': '/api/v0/ for instances',
      'version.v0-offers': '/api/v0/ for offers',
      'version.v0-templates': '/api/v0/ for templates',
      'version.v0-volumes': '/api/v0/ for volumes',
      'version.v1-invoices': '/api/v1/ for invoices',
    },
    ['server', 'client'],
  ),
];
