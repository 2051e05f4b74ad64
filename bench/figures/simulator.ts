import { createSimulator } from '../../src/simulator/simulator.ts';
import type { Bench, Measurement } from '../figure.ts';

const fullSize = 25_000;
const fullRequests = 300;
const clients = 100;
const rowsAClient = 64;
const tiers = { in: ['verified', 'unverified', 'deverified'] };
const fields = [
  'dph_total',
  'dlperf',
  'reliability',
  'inet_down',
  'gpu_ram',
  'num_gpus',
  'cpu_cores',
  'score',
];

/**
 * The simulator over HTTP: searches with different filters and orders, one after the other, and a hundred clients that
 * request 64 rows at once. The client runs in the same process, and its reading counts.
 */
export async function measureSimulator(bench: Bench): Promise<Measurement[]> {
  const [size, requests] = [bench.sized(fullSize), bench.sized(fullRequests)];
  bench.note(`simulator: a market of about ${size} offers`);
  // Fewer offers are free at some hours than at others: enough are made for the full size at any.
  const simulator = createSimulator({ offersPerType: Math.ceil(size * 1.3), speed: 1e-6 });
  const { url } = await simulator.listen();
  const search = (body: object): Promise<number> => askRows(url, simulator.apiKey, body);
  try {
    const rows = await search({ limit: 1_000_000, verification: tiers });
    const sizes = [{ what: 'offers in one answer', count: rows, atLeast: size }];
    const latencies: number[] = [];
    for (let index = 0; index < requests; index += 1) {
      const startedAt = performance.now();
      await search(distinctSearch(index));
      latencies.push(performance.now() - startedAt);
    }
    const burst = await askAtOnce(search);
    const common = { unit: 'ms', yardstick: null };
    const count = { what: 'distinct searches', count: latencies.length, atLeast: requests };
    const full = { what: 'clients with all their rows', count: burst.full, atLeast: clients };
    return [
      {
        ...common,
        name: 'simulator-search-p95',
        value: p95(latencies),
        sizes: [...sizes, count],
        details: [],
      },
      { ...common, name: 'simulator-100-clients', value: burst.ms, sizes: [...sizes, full], details: [] },
    ];
  } finally {
    await simulator.close();
  }
}

/** Returns a different filter and order for every index. */
function distinctSearch(index: number): object {
  const field = fields[index % fields.length] ?? 'score';
  const second = fields[(index * 3 + 1) % fields.length] ?? 'dlperf';
  const direction = index % 2 === 0 ? 'asc' : 'desc';
  return {
    limit: rowsAClient,
    type: index % 3 === 0 ? 'bid' : 'on-demand',
    verification: tiers,
    dph_total: { lte: 0.2 + index / 20 },
    reliability: { gte: 0.6 + (index % 30) / 100 },
    [index % 5 === 0 ? 'inet_up' : 'disk_space']: { gt: index },
    order: [
      [field, direction],
      [second, 'asc'],
      ['id', 'asc'],
    ],
  };
}

async function askAtOnce(search: (body: object) => Promise<number>): Promise<{ ms: number; full: number }> {
  const startedAt = performance.now();
  const bodies = Array.from({ length: clients }, (_, index) => ({
    limit: rowsAClient,
    verification: tiers,
    order: [[fields[index % fields.length], index % 2 === 0 ? 'asc' : 'desc']],
  }));
  const rows = await Promise.all(bodies.map(search));
  return { ms: performance.now() - startedAt, full: rows.filter((count) => count === rowsAClient).length };
}

async function askRows(url: string, apiKey: string, body: object): Promise<number> {
  const answer = await fetch(`${url}/api/v0/bundles/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the simulator answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { offers: unknown[] }).offers.length;
}

function p95(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
}
