import { invoiceServices } from '../../../src/simulator/account/payments.ts';
import { type Mutant, mutantsOf, rowsOfEach } from './mutant.ts';

const allFilters = 'const filters = [...when, ...readService(query)];';
const invalid = 'if (when === null) return invalidRange;';
const comparisons = [
  ...['gte', 'gt', 'lte', 'lt'].map((operator) => `when.${operator}`),
  ...['eq', 'neq', 'in', 'notin'].map((operator) => `service.${operator}`),
];
const latestFirst = "queryFlag(query, 'latest_first') ?? true";
const descending = "descending: dir === 'desc' }";
const keys = 'return keys.length === 0 ? byTime : keys;';
const limit = "queryInteger(query, 'limit', 1) ?? defaultLimit";

/** Mutants of payments. */
export const invoiceMutants: readonly Mutant[] = mutantsOf('endpoints/invoices.ts', [
  ...rowsOfEach(comparisons, (name) => [
    'invoices-filter-ignored',
    '4.12',
    `the invoice filter ${name} is ignored`,
    allFilters,
    `${allFilters.slice(0, -1)}.filter(({ field, operator }) => \`\${field}.\${operator}\` !== '${name}');`,
  ]),
  ...rowsOfEach(invoiceServices, (name) => [
    'invoice-service-refused',
    '4.12',
    `the service ${name} is refused`,
    '.includes(value)) {',
    `.includes(value) || value === '${name}') {`,
  ]),
  ...rowsOfEach(['paid_on', 'amount_cents', 'when'], (name) => [
    'invoices-sort-ignored',
    '4.12',
    `the invoice order by ${name} is ignored`,
    keys,
    `const known = keys.filter(({ column }) => column !== '${name}');
     return known.length === 0 ? byTime : known;`,
  ]),
  [
    'invoices-when-optional',
    '4.12',
    'invoices come without a when range',
    `${invalid}\n        ${allFilters}`,
    'const filters = [...(when ?? []), ...readService(query)];',
  ],
  [
    'invoices-when-missing-is-400',
    '7',
    'a missing when gets status 400',
    'status: 200,\n  body: {\n    success: false',
    'status: 400,\n  body: {\n    success: false',
  ],
  [
    'invoices-when-missing-succeeds',
    '7',
    'a missing when gets success true',
    "success: false,\n    error: 'Invalid date range',",
    'success: true,',
  ],
  [
    'invoices-oldest-first-default',
    '4.12',
    'the oldest invoice comes first where nothing is said',
    latestFirst,
    "queryFlag(query, 'latest_first') ?? false",
  ],
  ['invoices-latest-first-ignored', '4.12', 'the newest-first flag is ignored', latestFirst, 'true'],
  [
    'invoices-latest-first-wins',
    '4.12',
    'the newest-first flag wins over the sort order',
    keys,
    "return keys.length === 0 || query.has('latest_first') ? byTime : keys;",
  ],
  [
    'invoices-sort-ascending-default',
    '4.12',
    'a sort order without dir is ascending',
    "dir = 'desc' }",
    "dir = 'asc' }",
  ],
  [
    'invoices-sort-direction-ignored',
    '4.12',
    'dir is ignored: all is descending',
    descending,
    'descending: true }',
  ],
  ['invoices-sort-desc-turned', '4.12', 'desc is taken for asc', descending, 'descending: false }'],
  [
    'invoices-limit-ignored',
    '4.12',
    'limit is ignored',
    limit,
    "queryInteger(query, 'limit', 1) && defaultLimit",
  ],
  [
    'invoices-limit-zero-accepted',
    '8',
    'a limit of 0 is accepted',
    limit,
    "queryInteger(query, 'limit', 0) || defaultLimit",
  ],
  [
    'invoices-token-ignored',
    '4.12',
    'the token is ignored: every page is the first',
    "query.get('next_token') ?? query.get('after_token')",
    'null',
  ],
  [
    'invoices-next-token-never',
    '4.12',
    'next_token is null though there are more',
    'next_token: page.nextToken',
    'next_token: null',
  ],
  [
    'invoices-next-token-always',
    '4.12',
    'next_token is never null',
    'next_token: page.nextToken',
    "next_token: page.nextToken ?? 'more'",
  ],
  [
    'invoices-hold-charges',
    '4.12',
    'the costs of instances and volumes are among the invoices',
    '.invoicesAt(request.atS)',
    `.invoicesAt(request.atS)
      .concat(account.chargesAt(request.atS)
        .map((charge, index) => ({ ...charge, id: -1 - index, service: 'instance_prepay' })))`,
  ],
  ['invoices-count-wrong', '4.12', 'count is one too many', 'page.items.length', 'page.items.length + 1'],
  ['invoices-total-wrong', '4.12', 'total is one too many', 'total: found.length', 'total: found.length + 1'],
  ['invoices-under-v0', '9', 'invoices are under /api/v0/ in place of /api/v1/', '/api/v1/', '/api/v0/'],
]);
