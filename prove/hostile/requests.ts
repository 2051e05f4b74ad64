import type { Proof, ProofOptions } from '../proof.ts';
import { openProofDatabases } from '../proof-databases.ts';
import { fuzzRequests } from './fuzz-requests.ts';
import {
  documentedOperations,
  type OpenedService,
  openFuzzedService,
  witnessMarket,
} from './fuzzed-service.ts';
import { peakMemoryMb } from './peak-memory.ts';

const promisedRequests = 10_000;
const maxAnswerMs = 5_000;
/** Measured: 520 to 710 MB. */
const maxMemoryMb = 1_024;
const readingShare = 0.2;

/**
 * Sends generated requests for every operation of the OpenAPI document to a service in a separate process: first reading
 * ones, which must not change any figure, then all.
 */
export async function proveRequests({
  seed,
  log,
  server,
  runs = promisedRequests,
}: ProofOptions): Promise<Proof> {
  const databases = await openProofDatabases(server, log);
  try {
    const database = await databases.create();
    const opened = await openFuzzedService(database.sql, database.target);
    try {
      return await fuzz(opened, {
        seed,
        requests: runs,
        onProgress: (done) => log.info({ done }, 'requests'),
      });
    } finally {
      await opened.service.end();
      await database.drop();
    }
  } finally {
    await databases.close();
  }
}

async function fuzz(
  opened: OpenedService,
  { seed, requests, onProgress }: { seed: number; requests: number; onProgress: (done: number) => void },
): Promise<Proof> {
  const { service } = opened;
  const operations = documentedOperations();
  const common = { service: opened, maxMs: maxAnswerMs };
  const reads = Math.ceil(requests * readingShare);
  const patience = watchPatience(opened.url);

  const before = await figuresOf(opened);
  const reading = operations.filter(({ method }) => method === 'GET');
  const first = await fuzzRequests({
    ...common,
    operations: reading,
    seed: seed + 1,
    requests: reads,
    stocks: false,
  });
  const after = await figuresOf(opened);
  const second = await fuzzRequests({ ...common, operations, seed, requests: requests - reads, onProgress });
  const atLast = await figuresOf(opened);
  const maxMs = await patience.end();

  const changedByReading = changed(before, after, () => true);
  const changedAtLast = changed(before, atLast, (path) => path.includes(witnessMarket));
  const memoryMb = peakMemoryMb(service.child.pid);
  const ready = await opened.ask('GET', '/readyz');
  const health = await opened.ask('GET', '/healthz');
  const unexpected = service.log.filter((line) => line.includes('"msg":"request failed"'));
  const failures = [
    ...first.failures,
    ...second.failures,
    ...changedByReading.map((path) => `reading requests changed what ${path} answers`),
    ...changedAtLast.map((path) => `requests changed what ${path} answers, of a market that none named`),
    ...(health.status === 200 && service.child.exitCode === null ? [] : ['the service is gone']),
    ...(ready.status === 200 ? [] : [`the service is not ready: ${ready.text.slice(0, 200)}`]),
    ...(memoryMb !== null && memoryMb > maxMemoryMb ? [`the service took ${memoryMb} MB`] : []),
    ...unexpected.map((line) => `in the log: ${line.slice(0, 500)}`),
  ];
  const counts = {
    ...sumCounts([first.counts, second.counts]),
    'operations of the document': operations.length,
    'operations never asked': second.counts['operations never asked'] ?? 0,
    'operations that succeeded at least once': second.counts['operations that succeeded at least once'] ?? 0,
    'slowest answer, ms': Math.max(
      first.counts['slowest answer, ms'] ?? 0,
      second.counts['slowest answer, ms'] ?? 0,
    ),
    'longest wait of a health check meanwhile, ms': maxMs,
    ...(memoryMb === null ? {} : { 'memory of the service at most, MB': memoryMb }),
    'figures compared': before.size,
  };
  return { ok: failures.length === 0, counts, failures };
}

/** Figures that the service answers with, by address. */
async function figuresOf({ ask, range }: OpenedService): Promise<Map<string, string>> {
  const within = `from=${range.from.toISOString()}&to=${range.to.toISOString()}`;
  const answers = new Map<string, string>();
  for (const market of ['simulator', witnessMarket]) {
    for (const path of [
      `/api/trends?bucket=book&${within}`,
      `/api/trends?bucket=1h&type=bid&metric=allInUsdPerHour&downGb=10&${within}`,
      `/api/rankings?limit=50`,
      '/api/market?',
      `/api/offers?limit=50`,
      `/api/exports/trends.csv?bucket=book&${within}`,
      `/api/exports/spend.csv?${within}&asOf=${range.to.toISOString()}`,
    ]) {
      const address = `${path}&market=${market}`.replace('?&', '?');
      const { status, text } = await ask('GET', address);
      if (status !== 200) throw new Error(`${address} answered ${status}: ${text}`);
      answers.set(address, text);
    }
  }
  return answers;
}

const changed = (
  before: Map<string, string>,
  after: Map<string, string>,
  matters: (path: string) => boolean,
): string[] =>
  [...before].flatMap(([path, text]) => (matters(path) && after.get(path) !== text ? [path] : []));

/** Requests the health of the service all the time; `end` returns the longest wait for an answer, ms. */
function watchPatience(url: string): { end: () => Promise<number> } {
  let ended = false;
  let maxMs = 0;
  const watching = (async () => {
    while (!ended) {
      const startedAt = performance.now();
      await fetch(`${url}/healthz`).then(
        (answer) => answer.text(),
        () => null,
      );
      maxMs = Math.max(maxMs, performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  return {
    end: async () => {
      ended = true;
      await watching;
      return Math.round(maxMs);
    },
  };
}

function sumCounts(all: readonly Record<string, number>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
}
