import type { Sql } from '../../src/database/connection.ts';

type Kind = 'number' | 'text' | 'flag' | 'version' | 'country' | 'datacenter' | 'external' | 'verified';

/**
 * How each filter compares, read from the document, not from the simulator.
 * Source: docs/marketplace.md#42-search-offers.
 */
const kinds: Readonly<Record<string, Kind>> = {
  ...kindsOf('number', [
    'bw_nvlink compute_cap cpu_cores cpu_cores_effective cpu_ghz cpu_ram cuda_max_good direct_port_count disk_bw',
    'disk_space dlperf dlperf_per_dphtotal dph_total duration flops_per_dphtotal gpu_frac gpu_max_power gpu_max_temp',
    'gpu_mem_bw gpu_ram gpu_total_ram has_avx host_id id inet_down inet_down_cost inet_up inet_up_cost machine_id',
    'min_bid num_gpus pci_gen pcie_bw reliability storage_cost total_flops',
  ]),
  ...kindsOf('text', ['cpu_arch gpu_arch gpu_name mobo_name verification']),
  ...kindsOf('flag', ['gpu_display_active rentable rented static_ip vms_enabled']),
  ...kindsOf('version', ['driver_version os_version']),
  geolocation: 'country',
  datacenter: 'datacenter',
  external: 'external',
  verified: 'verified',
};

function kindsOf(kind: Kind, lines: readonly string[]): Record<string, Kind> {
  return Object.fromEntries(lines.flatMap((line) => line.split(' ')).map((field) => [field, kind]));
}

const columnTypes: Readonly<Record<Kind, string>> = {
  number: 'float8',
  text: 'text collate "C"',
  flag: 'boolean',
  version: 'int[]',
  country: 'text collate "C"',
  datacenter: 'boolean',
  external: 'boolean',
  verified: 'boolean',
};

/** The fields that a search can name. */
export const oracleFields = Object.keys(kinds);
export const kindOf = (field: string): Kind => kinds[field] ?? 'number';

/** Fills a table with offers, one column a filter, typed. */
export async function loadOffers(sql: Sql, offers: readonly object[]): Promise<void> {
  const columns = oracleFields.map((field) => `${field} ${columnTypes[kindOf(field)]}`);
  await sql.unsafe('drop table if exists oracle_offers');
  await sql.unsafe(`create table oracle_offers (place int, ${columns.join(', ')})`);
  await sql.unsafe(
    `insert into oracle_offers
     select place, ${oracleFields.map(readColumn).join(', ')}
     from jsonb_array_elements($1::text::jsonb) with ordinality as listed(doc, place)`,
    [JSON.stringify(offers)],
  );
}

function readColumn(field: string): string {
  const text = `(doc->>'${field}')`;
  switch (kindOf(field)) {
    case 'number':
      return `${text}::float8`;
    case 'text':
      return text;
    case 'flag':
    case 'external':
      return `${text}::boolean`;
    case 'version':
      return versionOf(text);
    case 'country':
      return countryOf(text);
    case 'datacenter':
      return `(doc->>'hosting_type')::float8 > 0`;
    case 'verified':
      return `doc->>'verification' = 'verified'`;
  }
}

const versionOf = (text: string): string => {
  const parts = [1, 2, 3, 4].map(
    (part) => `coalesce(nullif(split_part(${text}, '.', ${part}), ''), '0')::int`,
  );
  return `case when ${text} is not null then array[${parts.join(', ')}] end`;
};
const countryOf = (text: string): string => `nullif(upper(btrim(regexp_replace(${text}, '^.*,', ''))), '')`;

export type Comparison = Readonly<Record<string, unknown>>;

/** The ids that a search gives, by plain SQL: its filters, the documented defaults of those it omits, its order. */
export async function searchBySql(
  sql: Sql,
  search: {
    filters: Readonly<Record<string, Comparison>>;
    order: readonly (readonly [string, string])[];
    limit: number;
  },
): Promise<number[]> {
  const { filters, order, limit } = search;
  const asked = (field: string) => Object.hasOwn(filters, field);
  const conditions = Object.entries(filters).flatMap(([field, comparison]) =>
    Object.entries(comparison).map(([operator, operand]) => condition(field, operator, operand)),
  );
  if (!asked('verified') && !asked('verification')) conditions.push('verified');
  if (!asked('rentable')) conditions.push('rentable');
  if (!asked('rented')) conditions.push('not rented');
  if (!asked('external')) conditions.push('external is not true');
  if (!asked('cpu_arch')) conditions.push("cpu_arch = 'amd64'");
  const keys = [...order, ['id', 'asc'], ['place', 'asc']].map(
    ([field, direction]) => `${field} ${direction} nulls last`,
  );
  const rows = await sql.unsafe<{ id: number }[]>(
    `select id from oracle_offers where ${conditions.join(' and ')} order by ${keys.join(', ')} limit ${limit}`,
  );
  return rows.map(({ id }) => Number(id));
}

function condition(field: string, operator: string, operand: unknown): string {
  const kind = kindOf(field);
  if (kind === 'datacenter' || kind === 'external') return switchCondition(kind, operator, operand);
  if (operator === 'in' || operator === 'notin') {
    const values = operand as readonly unknown[];
    const known = values.filter((value) => value !== null).map((value) => literal(kind, value));
    const among = known.length === 0 ? 'false' : `${field} in (${known.join(', ')})`;
    if (operator === 'notin') return `${field} is not null and not (${among})`;
    return values.includes(null) ? `(${field} is null or ${among})` : among;
  }
  if (operand === null) return `${field} is ${operator === 'eq' ? '' : 'not '}null`;
  const signs: Readonly<Record<string, string>> = {
    eq: '=',
    neq: '<>',
    gt: '>',
    gte: '>=',
    lt: '<',
    lte: '<=',
  };
  return `${field} ${signs[operator]} ${literal(kind, operand)}`;
}

/** `datacenter` and `external` are switches: on restricts or widens, off does the other. */
function switchCondition(kind: 'datacenter' | 'external', operator: string, operand: unknown): string {
  const named = [operand].flat().includes(true);
  const on = operator === 'eq' || operator === 'in' ? named : !named;
  if (kind === 'datacenter') return on ? 'datacenter' : 'true';
  return on ? 'true' : 'external is not true';
}

function literal(kind: Kind, value: unknown): string {
  const quoted = `'${String(value).replaceAll("'", "''")}'`;
  if (kind === 'number') return `${quoted}::float8`;
  if (kind === 'flag' || kind === 'verified') return `${quoted}::boolean`;
  if (kind === 'version') return `(${versionOf(`${quoted}::text`)})`;
  return kind === 'country' ? countryOf(`${quoted}::text`) : quoted;
}
