import { rowsOf } from '../specification-row.ts';

/** Volumes and instances. Source: docs/marketplace.md#4-endpoints. */
export const instanceEndpointRows = [
  ...rowsOf(
    '4.1',
    {
      'volume-create.endpoint': 'PUT /api/v0/volumes',
      'volume-create.id': 'integer, required: the volume offer',
      'volume-create.size': 'integer, GB',
      'volume-create.success': 'the response has success',
    },
    ['server', 'client'],
  ),
  ...rowsOf(
    '4.3',
    {
      'create.endpoint': 'PUT /api/v0/asks/{offer_id}/ creates an instance',
      'create.image': 'container image',
      'create.disk': 'GB of disk on the new instance',
      'create.onstart': 'start script',
      'create.template_hash_id': 'template hash_id',
      'create.env': 'map of variable name to string value',
      'create.env-ports': 'a port mapping is the key "-p host:container" with value 1',
      'create.volume_info': 'section 2.5',
      'create.runtype': 'as in the template',
      'create.new_contract': 'response: integer, the instance ID',
    },
    ['server', 'client'],
  ),
  ...rowsOf('4.3', {
    'create.post': 'the overview also names POST for this operation',
    'create.extra_filters': 'merged by key with the template',
    'create.success': 'response: success',
    'create.instance_api_key': 'response: string, restricted key',
    'create.image-overrides': 'image overrides the image of the template',
    'precedence.scalar': 'scalar request fields override the template value',
    'precedence.template-kept': 'scalar template values that the request leaves out are kept',
    'precedence.env-template': 'env: template variables are kept',
    'precedence.env-added': 'env: request variables are added',
    'precedence.env-request-wins': 'env: on a key conflict the request value wins',
    'precedence.env-converted': 'env: the flag string of the template is converted, ports too',
    'precedence.extra_filters': 'extra_filters is merged by key; request values win',
    'precedence.volume_info': 'the volume_info of a template is ignored',
    'precedence.ssh-keys-vm': 'for VM instances SSH keys must be registered before creation',
    'precedence.ssh-keys-container': 'for container instances SSH keys can be added afterwards',
  }),
  ...rowsOf('4.3', { 'create.secret-dropped': 'instance_api_key is a key: it is not handed on' }, ['client']),
  ...rowsOf(
    '4.4',
    {
      'list.endpoint': 'GET /api/v0/instances/',
      'list.instances': 'array of instances',
      'list.empty': 'empty when none',
    },
    ['server', 'client'],
  ),
  ...rowsOf('4.4', { 'list.instances_found': 'integer: how many' }),
  ...rowsOf(
    '4.5',
    { 'get.endpoint': 'GET /api/v0/instances/{instance_id}/ returns instances as an object' },
    ['server', 'client'],
  ),
  ...rowsOf(
    '4.6',
    {
      'stop.endpoint': 'PUT /api/v0/instances/{instance_id}/ with state stopped',
      'stop.success': 'returns success true',
      'start.state-running': 'other values of state not shown: running starts it again',
    },
    ['server', 'client'],
  ),
  ...rowsOf(
    '4.7',
    {
      'destroy.endpoint': 'DELETE /api/v0/instances/{instance_id}/',
      'destroy.success': 'returns success true',
    },
    ['server', 'client'],
  ),
];
