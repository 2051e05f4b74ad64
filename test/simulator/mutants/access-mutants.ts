import { type Mutant, mutantsOf } from './mutant.ts';

/** The first parts of the paths under `/api/v0/`, by what they are called. Source: docs/marketplace.md#9-versions. */
const versionedPaths: Readonly<Record<string, string>> = {
  instances: 'instances|asks',
  offers: 'bundles',
  templates: 'template',
  volumes: 'volumes',
};

const identity = 'const identity = key === null ? null : gate.identityOf(key);';
const anybody =
  "{ kind: 'account', name: 'nobody', permissions: new Set([route.permission]), instanceId: null }";
const permission = 'identity.permissions.has(route.permission)';
const throttled = 'return gate.throttle(route.endpoint, identity.name, address);';
const routeOfMethod = 'here.find(({ route }) => route.method === method);';
const lastRoutes = '...chargeRoutes(account, secret),\n  ];';
const mayStop = 'instanceKeys: true,\n      answer: (request) => {\n        change(';
const mayDestroy = 'instanceKeys: true,\n      answer: (request) => {\n        account.instances.destroy(';
const listsInstances = "path: '/api/v0/instances',\n      permission: 'instance_read',";
const readsInstance = "path,\n      permission: 'instance_read',";

/** Mutants of keys, paths, errors, limits and versions. */
export const accessMutants: readonly Mutant[] = [
  ...mutantsOf('api-answer.ts', [
    [
      'key-not-checked',
      '5',
      'any bearer key is let in',
      identity,
      `const identity = key === null ? null : (gate.identityOf(key) ?? ${anybody});`,
    ],
    [
      'key-not-needed',
      '5',
      'a request without a key is let in',
      identity,
      `const identity = key === null ? ${anybody} : gate.identityOf(key);`,
    ],
    [
      'wrong-key-is-200',
      '5',
      'a wrong key gets status 200',
      'key === null ? 403 : wrongKeyStatus(route)',
      '200',
    ],
    [
      'wrong-key-message-other',
      '5',
      'the message for a wrong key is another',
      "'Invalid user key'",
      "'Access denied'",
    ],
    ['permissions-not-checked', '5', 'a scoped key may do everything', permission, 'true'],
    ['scoped-keys-refused', '5', 'a scoped key may do nothing', permission, "identity.kind === 'account'"],
    [
      'instance-key-may-everything',
      '5',
      'an instance key may do what the account may',
      'route.instanceKeys === true',
      'true',
    ],
    [
      'throttle-detail-missing',
      '7',
      'a throttled request is told no detail',
      throttled,
      'return gate.throttle(route.endpoint, identity.name, address) && { status: 429, body: {} };',
    ],
    [
      'throttle-threshold-unnamed',
      '7',
      'the detail names no threshold',
      throttled,
      "return gate.throttle(route.endpoint, identity.name, address) && { status: 429, body: { detail: 'please slow down' } };",
    ],
  ]),
  ...mutantsOf('throttle.ts', [
    [
      'throttle-threshold-other',
      '8',
      'the threshold of the template search is 5.0',
      'searchTemplates: 3,',
      'searchTemplates: 5,',
    ],
  ]),
  ...mutantsOf('truth.ts', [
    [
      'container-key-not-injected',
      '5',
      'the container has no CONTAINER_API_KEY',
      '{ ...instance.env, CONTAINER_API_KEY: instance.keySha256 }',
      'instance.env',
    ],
  ]),
  {
    id: 'instance-key-may-read',
    section: '5',
    breaks: 'an instance key may list and read instances',
    patches: [listsInstances, readsInstance].map((from) => ({
      file: 'endpoints/instances.ts',
      from,
      to: `${from}\n      instanceKeys: true,`,
    })),
  },
  ...mutantsOf('endpoints/instances.ts', [
    [
      'instance-key-may-not-stop',
      '5',
      'an instance key may not stop its instance',
      mayStop,
      mayStop.replace('true', 'false'),
    ],
    [
      'instance-key-may-not-destroy',
      '5',
      'an instance key may not destroy its instance',
      mayDestroy,
      mayDestroy.replace('true', 'false'),
    ],
    [
      'instance-key-reaches-others',
      '5',
      'an instance key may stop and destroy every instance',
      'if (!own) throw notAllowed();',
      '',
    ],
  ]),
  ...mutantsOf('api-handler.ts', [
    [
      'trailing-slash-refused',
      '4',
      'the path with a trailing slash is not found',
      routeOfMethod,
      `path.endsWith('/') ? undefined : ${routeOfMethod}`,
    ],
    [
      'slashless-refused',
      '4',
      'the path without a trailing slash is not found',
      routeOfMethod,
      `!path.endsWith('/') ? undefined : ${routeOfMethod}`,
    ],
  ]),
  ...mutantsOf(
    'endpoints/market-routes.ts',
    Object.entries(versionedPaths).map(([name, parts]) => [
      `under-v1:${name}`,
      '9',
      `${name} are under /api/v1/`,
      lastRoutes,
      `${lastRoutes.slice(0, -1)}.map((route) => ({
        ...route,
        path: route.path.replace(/^\\/api\\/v0\\/(?=(?:${parts})(?:\\/|$))/, '/api/v1/'),
      }));`,
    ]),
  ),
];
