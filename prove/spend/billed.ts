import { uuidv7 } from 'uuidv7';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import type { Sql } from '../../src/database/connection.ts';
import { createBills } from '../../src/market/vast/bills.ts';
import { createMarketClient } from '../../src/market/vast/client.ts';
import { defaultDialect, withoutIntervals } from '../../src/market/vast/dialect.ts';
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';
import type { BillingKind } from '../../src/spend/bills/bill.ts';
import { crawlBilling } from '../../src/spend/bills/crawl-bills.ts';
import { type SpendScope, spendGroupings } from '../../src/spend/spend-grouping.ts';
import { sumSpend, totalSpend } from '../../src/spend/sums.sql.ts';
import type { Proof, ProofOptions } from '../proof.ts';
import { openProofDatabases } from '../proof-databases.ts';
import { createRandom } from '../seeded-random.ts';

interface BilledOptions extends Omit<ProofOptions, 'bookFiles'> {
  /** Instances that are rented. @default 50 */
  instances?: number | undefined;
  /** Days that the account is used. @default 150 */
  days?: number | undefined;
}

const daySeconds = 86_400;
const begin = new Date('2026-01-31T00:00:00Z');
const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns'];
/** Syncs meanwhile: growing charges are read again. */
const readings = 4;

/**
 * An account of the simulator rents, stops, starts and destroys for months, transfers data and pays. The stored charges
 * and invoices, by every grouping in every time zone, equal what the simulator says it billed and was paid, to the last
 * micro-dollar; by service and by instance as well.
 */
export async function proveBilled(options: BilledOptions): Promise<Proof> {
  const { seed, log, instances = 50, days = 150 } = options;
  const databases = await openProofDatabases(options.server, log);
  const simulator = createSimulator({
    ...{ seed, startAt: begin, now: () => begin, offersPerType: Math.max(150, instances * 2) },
    ...{ pastPayments: 40, openingCreditUsd: 1_000, autoTopUp: { belowUsd: 500, amountUsd: 2_500 } },
    ...{ traffic: { downGbPerHour: 0.37, upGbPerHour: 0.11 } },
  });
  const failures: string[] = [];
  try {
    const { sql, drop } = await databases.create();
    const { url } = await simulator.listen();
    const { id: marketId } = await ensureMarket(sql, 'billed', 'live');
    await live({ simulator, url, random: createRandom(seed), instances, days }, async (day) => {
      await readBills(sql, { simulator, url, marketId });
      log.info({ day }, 'bills read');
    });
    const compared = await compare(sql, { simulator, marketId, failures });
    await drop();
    const charges = simulator.charges();
    const counts = {
      'instances that the simulator had': simulator.instances().length,
      'charges that it billed': charges.length,
      'items of them': charges.reduce((sum, { items }) => sum + items.length, 0),
      'invoices that it made': simulator.invoices().length,
      'sums compared with it': compared,
    };
    if (counts['instances that the simulator had'] < instances) failures.push('fewer instances were rented');
    if (charges.length < instances) failures.push('less was billed than a charge an instance');
    return { ok: failures.length === 0, failures, counts };
  } finally {
    await simulator.close();
    await databases.close();
  }
}

interface Life {
  simulator: Simulator;
  url: string;
  random: () => number;
  instances: number;
  days: number;
}

/** Advances in steps of hours; `read` is called a few times meanwhile, and at the end. */
async function live(
  { simulator, url, random, instances, days }: Life,
  read: (day: number) => Promise<void>,
): Promise<void> {
  const headers = { authorization: `Bearer ${simulator.apiKey}`, 'content-type': 'application/json' };
  const call = async (method: string, path: string, body: object): Promise<boolean> => {
    const answer = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
    await answer.arrayBuffer();
    return answer.ok;
  };
  const request = { image: 'ubuntu', disk: 36 };
  // Current offers: others rent some of them meanwhile.
  const anyOffer = (): unknown => {
    const rows = simulator.offersAt().filter((row) => row.rentable === true && Number(row.disk_space) >= 40);
    return rows[Math.floor(random() * rows.length)]?.id;
  };
  let rented = 0;
  for (let step = 0; step < instances * 2; step += 1) {
    // It rents in the first half only, so that the last instances also run for a while.
    if (rented < instances && (await call('PUT', `/api/v0/asks/${anyOffer()}/`, request))) rented += 1;
    const alive = simulator.instances().filter(({ destroyedS }) => destroyedS === null);
    const one = alive[Math.floor(random() * alive.length)];
    const path = `/api/v0/instances/${one?.id}/`;
    const dice = random();
    if (one !== undefined && dice < 0.2) await call('PUT', path, { state: 'stopped' });
    else if (one !== undefined && dice < 0.4) await call('PUT', path, { state: 'running' });
    else if (one !== undefined && dice < 0.5) await call('DELETE', path, {});
    const all = (days * daySeconds) / (instances * 2);
    simulator.advance(Math.max(1, Math.floor(all * (0.5 + random()))));
    if ((step + 1) % Math.ceil((instances * 2) / readings) === 0) await read(step);
  }
  await read(instances * 2);
}

async function readBills(
  sql: Sql,
  { simulator, url, marketId }: { simulator: Simulator; url: string; marketId: number },
): Promise<void> {
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  const client = createMarketClient({
    ...{ baseUrl: url, apiKey: simulator.apiKey, dialect: withoutIntervals(defaultDialect) },
    ...{ maxBodyBytes: 64_000_000, log: silent, sleep: async () => {} },
  });
  try {
    for (const kind of ['invoice', 'charge'] satisfies BillingKind[]) {
      const outcome = await crawlBilling(
        { sql, bills: createBills(client), marketId, log: silent, now: simulator.now, newId: uuidv7 },
        { crawlId: uuidv7(), kind, cause: 'command', tickAt: null, jobId: null },
      );
      if (outcome.kind !== 'complete') throw new Error(`the reading of ${kind}s ended ${outcome.kind}`);
    }
  } finally {
    await client.close();
  }
}

type Sums = Map<string, bigint>;

const addTo = (sums: Sums, name: string, usd: string): void =>
  void sums.set(name, (sums.get(name) ?? 0n) + unitsOf(usd));

/** Returns how many sums were compared; adds differences to `failures`. */
async function compare(
  sql: Sql,
  { simulator, marketId, failures }: { simulator: Simulator; marketId: number; failures: string[] },
): Promise<number> {
  const truth = truthOf(simulator);
  let compared = 0;
  const check = (what: string, found: Sums, expected: Sums): void => {
    for (const name of new Set([...found.keys(), ...expected.keys()])) {
      compared += 1;
      const [own, billed] = [found.get(name) ?? 0n, expected.get(name) ?? 0n];
      if (own !== billed) failures.push(`${what}, ${name}: ${own} and not ${billed} units of 10^-18 dollars`);
    }
  };
  for (const timeZone of zones) {
    const asOf = new Date(simulator.now().getTime() + 1);
    const range = { from: new Date('2000-01-01T00:00:00Z'), to: new Date(asOf.getTime() + 86_400_000) };
    const scope: SpendScope = { marketId, timeZone, asOf, ...range };
    const totals: Sums = new Map();
    for (const { category, amountUsd } of await totalSpend(sql, scope)) addTo(totals, category, amountUsd);
    check(`${timeZone} in all`, totals, truth.categories);
    for (const groupBy of spendGroupings) {
      const [groups, services, sources] = [new Map(), new Map(), new Map()] as [Sums, Sums, Sums];
      for (const { key, category, amountUsd } of await sumSpend(sql, scope, groupBy, null)) {
        addTo(groups, category, amountUsd);
        if (category === 'consumption' && groupBy === 'service') addTo(services, key ?? '', amountUsd);
        if (category === 'consumption' && groupBy === 'source') addTo(sources, key ?? '', amountUsd);
      }
      check(`${timeZone} by ${groupBy}`, groups, truth.categories);
      if (groupBy === 'service') check(`${timeZone}, each service`, services, truth.services);
      if (groupBy === 'source') check(`${timeZone}, each source`, sources, truth.sources);
    }
  }
  return compared;
}

/** The simulator's own record of what it billed and was paid. */
function truthOf(simulator: Simulator): { categories: Sums; services: Sums; sources: Sums } {
  const truth = { categories: new Map(), services: new Map(), sources: new Map() } as Record<
    'categories' | 'services' | 'sources',
    Sums
  >;
  for (const { source, amountUsd, items } of simulator.charges()) {
    addTo(truth.categories, 'consumption', amountUsd);
    addTo(truth.sources, source, amountUsd);
    for (const item of items) addTo(truth.services, item.type, item.amountUsd);
  }
  for (const { type, amountUsd } of simulator.invoices()) {
    addTo(truth.categories, ['transfer', 'refund', 'payout'].includes(type) ? type : 'payment', amountUsd);
  }
  return truth;
}

/** Whole units of 10^-18 dollars of a decimal text. */
function unitsOf(text: string): bigint {
  const [whole = '0', decimals = ''] = text.replace('-', '').split('.');
  const units = BigInt(`${whole}${decimals.padEnd(18, '0')}`);
  return text.startsWith('-') ? -units : units;
}
