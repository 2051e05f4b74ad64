import { comparisonOperators } from '../../../src/simulator/plain-comparison.ts';
import { filterFields } from '../../../src/simulator/search-fields.ts';
import { type Mutant, mutantsOf, rowsOfEach, wrongOperators } from './mutant.ts';

const allFilters = 'filters: [...defaultFilters(given), ...filters],';
const order = 'order: readOrder(given.order),';
const direction = "descending: direction === 'desc'";
const readType = 'function readType(value: unknown): PricingType {';

/** Mutants of the offer search. */
export const searchMutants: readonly Mutant[] = [
  ...mutantsOf('search-request.ts', [
    ...rowsOfEach(filterFields, (name) => [
      'filter-ignored',
      '4.2',
      `the filter ${name} of the offer search is ignored`,
      allFilters,
      `filters: [...defaultFilters(given), ...filters].filter(({ field }) => field !== '${name}'),`,
    ]),
    ...rowsOfEach(comparisonOperators, (name) => [
      'operator-wrong',
      '4.2',
      `${name} of the offer search is another operator`,
      allFilters,
      `filters: [...defaultFilters(given), ...filters].map((filter) =>
        filter.operator === '${name}' ? { ...filter, operator: '${wrongOperators[name]}' } : filter),`,
    ]),
    ...rowsOfEach(['on-demand', 'ondemand', 'bid', 'reserved'], (name) => [
      'search-type-refused',
      '4.2',
      `the pricing type ${name} is refused`,
      readType,
      `${readType} if (value === '${name}') throw new InvalidArgs('type must not be ${name}');`,
    ]),
    ['search-limit-ignored', '4.2', 'limit is ignored', 'limit: readLimit(given.limit),', 'limit: null,'],
    [
      'search-type-ignored',
      '4.2',
      'type is ignored: all is on demand',
      'type: readType(given.type),',
      "type: 'on-demand',",
    ],
    [
      'search-storage-ignored',
      '4.2',
      'the storage allocation is ignored',
      'storageGb: readStorage(given.allocated_storage),',
      'storageGb: defaultStorageGb,',
    ],
    [
      'search-storage-default-other',
      '4.2',
      'a search without a storage allocation is priced for 10 GB',
      'const defaultStorageGb = 8;',
      'const defaultStorageGb = 10;',
    ],
    [
      'search-cpu-arch-unfiltered',
      '4.2',
      'a search without cpu_arch finds other than amd64 too',
      "if (omitted('cpu_arch')) add('cpu_arch', 'amd64');",
      '',
    ],
    [
      'search-type-default-other',
      '4.2',
      'a search without a type is of bids',
      "if (value === undefined) return 'on-demand';",
      "if (value === undefined) return 'bid';",
    ],
    ['search-order-ignored', '4.2', 'order is ignored', order, 'order: [],'],
    [
      'search-order-second-key-ignored',
      '4.2',
      'order takes its first element only',
      order,
      'order: readOrder(given.order).slice(0, 1),',
    ],
    ['search-order-direction-ignored', '4.2', 'desc is taken for asc', direction, 'descending: false'],
    ['search-order-asc-turned', '4.2', 'asc is taken for desc', direction, 'descending: true'],
  ]),
  ...mutantsOf('endpoints/search-offers.ts', [
    [
      'offer-verification-other',
      '2.1',
      'verification has another word for unverified',
      'const { offers } = answer.body;',
      `const offers = answer.body.offers.map((row) =>
        row.verification === 'unverified' ? { ...row, verification: 'none' } : row);`,
    ],
    [
      'search-malformed-accepted',
      '7',
      'a search body that is no JSON is taken for {}',
      'throw new MalformedSearch();',
      'return {};',
    ],
  ]),
];
