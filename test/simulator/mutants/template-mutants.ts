import { templateFieldNames, templateFields } from '../../../src/simulator/account/template-fields.ts';
import { templateSearchKinds } from '../../../src/simulator/account/templates.ts';
import { comparisonOperators } from '../../../src/simulator/plain-comparison.ts';
import { type Mutant, mutantsOf, rowsOfEach, wrongOperators } from './mutant.ts';

const requiredFields = templateFieldNames.filter((name) => 'required' in templateFields[name]);
const otherDefaults: Readonly<Record<string, string>> = {
  tag: "'stable'",
  runtype: "'ssh'",
  recommended_disk_space: '10',
};

const all = '[...state.templates, ...publicTemplates]';
const everyFilter = 'filters.every((filter) => passes(record[filter.field] ?? null, filter))';
const given = 'const given = readGivenFields(body);';
const keptFields = 'template.fields = { ...template.fields, ...given };';
const editedHash = 'template.revision += 1;\n      template.hashId = hashOf(template);';
const selection = "return queryObject(query, 'select_filters') ?? {};";
const hashId = "required(optionalString, body, 'hash_id')";

/** Mutants of stored templates. */
export const templateMutants: readonly Mutant[] = [
  ...mutantsOf('account/template-fields.ts', [
    ...rowsOfEach(requiredFields, (name) => [
      'template-field-optional',
      '2.3',
      `a template is created without ${name}`,
      'field.required === true',
      `field.required === true && name !== '${name}'`,
    ]),
    ...rowsOfEach(templateFieldNames, (name) => [
      'template-field-unchecked',
      '2.3',
      `${name} of a template takes a value of any type`,
      'value === null ? value : readField(name, value)',
      `value === null || name === '${name}' ? value : readField(name, value)`,
    ]),
    ...rowsOfEach(Object.keys(otherDefaults), (name) => [
      'template-default-other',
      '2.3',
      `${name} of a template has another default`,
      'field.default ?? null;',
      `name === '${name}' ? ${otherDefaults[name]} : (field.default ?? null);`,
    ]),
    [
      'template-onstart-unlimited',
      '8',
      "a template's onstart may have more than 4048 characters",
      "if (typeof fields.onstart === 'string') checkOnstart(fields.onstart);",
      '',
    ],
  ]),
  ...mutantsOf('account/templates.ts', [
    ...rowsOfEach(Object.keys(templateSearchKinds), (name) => [
      'template-filter-ignored',
      '4.8',
      `the filter ${name} of the template search is ignored`,
      everyFilter,
      everyFilter.replace('filters', `filters.filter(({ field }) => field !== '${name}')`),
    ]),
    ...rowsOfEach(comparisonOperators, (name) => [
      'template-operator-wrong',
      '4.8',
      `${name} of the template search is another operator`,
      everyFilter,
      everyFilter.replace(
        'null, filter',
        `null, filter.operator === '${name}' ? { ...filter, operator: '${wrongOperators[name]}' } : filter`,
      ),
    ]),
    [
      'template-search-public-only',
      '4.8',
      "the caller's own templates are not found",
      all,
      '[...publicTemplates]',
    ],
    [
      'template-search-own-only',
      '4.8',
      'publicly shared templates are not found',
      all,
      '[...state.templates]',
    ],
    [
      'template-search-shows-private',
      '4.8',
      'private templates of others are found',
      all,
      `[...state.templates, ...publicTemplates, ...publicTemplates.map((template) => ({
        ...template,
        id: template.id + 100,
        fields: { ...template.fields, private: true },
      }))]`,
    ],
    [
      'template-order-ignored',
      '4.8',
      'the order column is ignored',
      'orderBy === null ? found',
      'found ? found',
    ],
    [
      'template-columns-ignored',
      '4.8',
      'all columns come, whichever were asked for',
      'columns === null ? ordered',
      'ordered ? ordered',
    ],
    [
      'template-edit-without-effect',
      '4.10',
      'an edit answers success and changes nothing',
      given,
      `${given} if (given) return templateRecord(template);`,
    ],
    [
      'template-edit-keeps-the-old',
      '4.10',
      'the old hash_id still names a template after an edit',
      given,
      `${given} state.templates.push({ ...template });`,
    ],
    [
      'template-edit-forgets-the-rest',
      '4.10',
      'fields that an edit does not name go back to their defaults',
      keptFields,
      `const required = ['name', 'image', 'docker_login_repo', 'docker_login_user', 'docker_login_pass'];
      const kept = Object.fromEntries(required.map((name) => [name, template.fields[name]]));
      template.fields = { ...readNewTemplate({ ...kept, ...given }), ...given };`,
    ],
    [
      'template-hash-kept-on-edit',
      '2.3',
      'hash_id stays the same after an edit',
      editedHash,
      'template.revision += 1;',
    ],
    [
      'template-delete-without-effect',
      '4.11',
      'a delete answers success and does nothing',
      'state.templates.splice(state.templates.indexOf(template), 1);',
      '',
    ],
  ]),
  ...mutantsOf('endpoints/templates.ts', [
    ['template-selection-ignored', '4.8', 'select_filters is ignored', selection, 'return {};'],
    [
      'template-search-unknown-field-ignored',
      '7',
      'a template search by a field that there is not succeeds',
      selection,
      `return Object.fromEntries(
        Object.entries(queryObject(query, 'select_filters') ?? {})
          .filter(([field]) => Object.hasOwn(templateSearchKinds, field)));`,
    ],
    [
      'template-star-ignored',
      '4.8',
      '["*"] gives three columns only',
      "columns.includes('*') ? null : columns",
      "columns.includes('*') ? [] : columns",
    ],
    [
      'templates-found-wrong',
      '4.8',
      'templates_found is one too many',
      'templates_found: found.length',
      'templates_found: found.length + 1',
    ],
    [
      'template-edit-hash-optional',
      '4.10',
      'an edit without hash_id changes the template of that id, else the newest',
      hashId,
      `optionalString(body, 'hash_id') ??
        (account.state.templates.find(({ id }) => id === body.id) ?? account.state.templates.at(-1))?.hashId ?? ''`,
    ],
    [
      'template-edit-answers-old-hash',
      '4.10',
      'an edit answers with the old hash_id',
      'template: templates.edit(hashId, body)',
      'template: { ...templates.edit(hashId, body), hash_id: hashId }',
    ],
    [
      'template-delete-by-hash',
      '4.11',
      'a template can be deleted by its hash',
      "required(optionalInteger, readJsonObject(text), 'template_id')",
      `templates.withHash(String(readJsonObject(text).template_id))?.id ??
        required(optionalInteger, readJsonObject(text), 'template_id')`,
    ],
  ]),
];
