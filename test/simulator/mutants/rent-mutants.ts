import { type Mutant, mutantsOf, rowsOfEach } from './mutant.ts';

const scalar = "return given ?? (typeof fallback === 'string' ? fallback : null);";
const templateIdRefused = "if (Object.hasOwn(body, 'template_id')) {";
const noTemplate = 'if (hashId === null) return null;';
const image = "if (wins !== null && wins !== '') return wins;";
const env =
  "const given = readEnvironment(optionalObject(body, 'env') ?? {});\n  return { ...fromTemplate, ...given };";
const filters = 'checkExtraFilters(given);\n  return { ...fromTemplate, ...given };';
const withoutPorts = "Object.fromEntries(Object.entries(given).filter(([name]) => !name.startsWith('-p ')))";
const volumeChecks: Readonly<Record<string, readonly [from: string, to: string]>> = {
  create_new: ["required(optionalBoolean, request, 'create_new')", 'request.create_new === true'],
  volume_id: ["required(optionalInteger, request, 'volume_id')", 'Number(request.volume_id ?? 0)'],
  size: ["optionalInteger(request, 'size')", 'Number(request.size ?? 15)'],
  mount_path: [
    "required(optionalString, request, 'mount_path');\n  if (!mountPath.startsWith('/')) {",
    'String(request.mount_path);\n  if (false) {',
  ],
};

/** Mutants of a rent and of volumes. */
export const rentMutants: readonly Mutant[] = [
  ...mutantsOf('endpoints/create-instance.ts', [
    ...rowsOfEach(['PUT', 'POST'], (name) => [
      'create-method-refused',
      '4.3',
      `an instance cannot be created by ${name}`,
      "['PUT', 'POST']",
      `['PUT', 'POST'].filter((method) => method !== '${name}')`,
    ]),
  ]),
  ...mutantsOf('account/rent-request.ts', [
    ...rowsOfEach(Object.keys(volumeChecks), (name) => [
      'volume-info-unchecked',
      '2.5',
      `${name} of volume_info is not checked`,
      ...(volumeChecks[name] ?? ['', '']),
    ]),
    [
      'volume-info-create-new-turned',
      '2.5',
      'create_new true links and false creates',
      'return { createNew,',
      'return { createNew: !createNew,',
    ],
    [
      'create-template-scalar-wins',
      '4.3',
      "a template's scalars win over the request's (rule 1)",
      scalar,
      "return typeof fallback === 'string' ? fallback : given;",
    ],
    [
      'create-template-scalar-lost',
      '4.3',
      'scalars that only the template has are lost (rule 1)',
      scalar,
      'return given;',
    ],
    [
      'create-onstart-unlimited',
      '8',
      'onstart of a create may have more than 4048 characters',
      'if (onstart !== null) checkOnstart(onstart);',
      '',
    ],
    ['create-runtype-unchecked', '4.3', 'any runtype is taken', 'checkRuntype(runtype);', ''],
    ['create-onstart-ignored', '4.3', 'onstart is ignored', '    onstart,\n', '    onstart: null,\n'],
    [
      'create-template-ignored',
      '4.3',
      'template_hash_id is ignored',
      noTemplate,
      'if (hashId !== undefined) return null;',
    ],
    [
      'create-template-image-wins',
      '4.3',
      "a template's image wins over the request's (rule 1)",
      'given ?? fromTemplate;',
      'fromTemplate ?? given;',
    ],
    [
      'create-image-ignored',
      '4.3',
      'every instance has an image of its own choice',
      image,
      image.replace('return wins', "return 'another'"),
    ],
    [
      'create-disk-default-other',
      '8',
      'an instance without a disk size has 10 GB',
      'const defaultDiskGb = 8;',
      'const defaultDiskGb = 10;',
    ],
    ['create-disk-ignored', '4.3', 'disk is ignored', 'return disk;', 'return fallback;'],
    [
      'create-env-unconverted',
      '4.3',
      'the flag string of a template is one variable in env (rule 2)',
      'parseEnvFlags(stored.env)',
      '{ flags: stored.env }',
    ],
    [
      'create-env-unchecked',
      '4.3',
      'env takes values that are no strings and port mappings that are none',
      env,
      "return { ...fromTemplate, ...(optionalObject(body, 'env') ?? {}) };",
    ],
    [
      'create-env-ports-lost',
      '4.3',
      'port mappings in env of the request are dropped',
      env,
      env.replace('...given', `...${withoutPorts}`),
    ],
    [
      'create-env-request-lost',
      '4.3',
      'env of the request is not added (rule 2)',
      env,
      env.replace(', ...given', ''),
    ],
    [
      'create-env-template-lost',
      '4.3',
      'env of the request replaces that of the template (rule 2)',
      env,
      env.replace('return', 'return Object.keys(given).length > 0 ? given :'),
    ],
    [
      'create-env-template-wins',
      '4.3',
      "on a conflict in env the template's value wins (rule 2)",
      env,
      env.replace('{ ...fromTemplate, ...given }', '{ ...given, ...fromTemplate }'),
    ],
    [
      'create-extra-filters-request-lost',
      '4.3',
      'extra_filters of the request is not added (rule 3)',
      filters,
      filters.replace(', ...given', ''),
    ],
    [
      'create-extra-filters-template-lost',
      '4.3',
      'extra_filters of the request replaces the template (rule 3)',
      filters,
      filters.replace('return', 'return Object.keys(given).length > 0 ? given :'),
    ],
    [
      'create-extra-filters-template-wins',
      '4.3',
      "in extra_filters the template's values win (rule 3)",
      filters,
      filters.replace('{ ...fromTemplate, ...given }', '{ ...given, ...fromTemplate }'),
    ],
    [
      'create-template-volume-attached',
      '4.3',
      "a template's volume_info attaches a volume (rule 4)",
      'readVolume(body)',
      'readVolume({ volume_info: stored.volume_info, ...body })',
    ],
  ]),
  {
    id: 'create-template-id-accepted',
    section: '7',
    breaks: 'template_id is taken in place of template_hash_id',
    patches: [
      { file: 'account/rent-request.ts', from: templateIdRefused, to: 'if (false) {' },
      {
        file: 'account/rent-request.ts',
        from: image,
        to: `${image} if (Object.hasOwn(body, 'template_id')) return 'unknown';`,
      },
    ],
  },
  ...mutantsOf('endpoints/volumes.ts', [
    [
      'volume-id-optional',
      '4.1',
      'a volume is created without an id',
      "const offerId = required(optionalInteger, body, 'id');",
      `const offerId = optionalInteger(body, 'id') ??
        account.volumeOffersAt(new Date(atS * 1000))[0]?.id ?? 0;`,
    ],
    [
      'volume-size-default-other',
      '8',
      'a volume without a size has 10 GB',
      "optionalInteger(body, 'size') ?? defaultVolumeGb",
      "optionalInteger(body, 'size') ?? 10",
    ],
  ]),
  ...mutantsOf('account/volumes.ts', [
    [
      'volume-size-ignored',
      '4.1',
      'every volume has 15 GB',
      '        sizeGb,\n',
      '        sizeGb: defaultVolumeGb,\n',
    ],
  ]),
];
