import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ensureMarket, type MarketKind } from '../../src/books/markets.sql.ts';
import { seedHistory } from '../../src/books/seed-history.ts';
import type { PricingType } from '../../src/core/offer.ts';
import type { DatabaseTarget, Sql } from '../../src/database/connection.ts';
import { pointStatistics } from '../../src/prices/statistics/point-statistics.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { type ServiceProcess, startServiceProcess, waitUntil } from '../crawl/service-process.ts';
import { type Operation, readOperations } from './api-operations.ts';
import type { FuzzedService } from './fuzz-requests.ts';

/** A service in a separate process, with books of the simulated market, and its clients. */
export interface OpenedService extends FuzzedService {
  service: ServiceProcess;
  ask: (method: string, path: string, body?: object) => Promise<{ status: number; text: string }>;
}

/** A market that no request names: its contents must not change. */
export const witnessMarket = 'witness';

const adminToken = 'a-token-of-the-proofs';
const moments = 14;
const hourMs = 3_600_000;

/** Every operation of the repository's OpenAPI document. */
export const documentedOperations = (): Operation[] =>
  readOperations(readFileSync(fileURLToPath(new URL('../../docs/openapi.json', import.meta.url)), 'utf8'));

/** Fills the database and starts the service on it. */
export async function openFuzzedService(sql: Sql, target: DatabaseTarget): Promise<OpenedService> {
  const now = new Date();
  await seed(sql, 'simulator', 'simulated', now);
  await seed(sql, witnessMarket, 'simulated', now);
  await sql`update crawl set cause = 'cron'`;
  const settings = { CRAWL_OFFERS: 'off', CRAWL_INVOICES: 'off', LOG_LEVEL: 'warn' };
  const service = await startServiceProcess(target, { ...settings, OFFERBOOK_TOKEN: adminToken });
  const url = await addressOf(service);
  const ask: OpenedService['ask'] = async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  const tokenOf = async (role: string): Promise<string> => {
    const { text } = await ask('POST', '/api/tokens', { name: `${role} of the proof`, role });
    return (JSON.parse(text) as { token: string }).token;
  };
  const tokens = { admin: adminToken, operator: await tokenOf('operator'), viewer: await tokenOf('viewer') };
  const range = { from: new Date(now.getTime() - moments * hourMs), to: now };
  return { service, url, tokens, range, ask };
}

async function addressOf({ child, said, log }: ServiceProcess): Promise<string> {
  let address = '';
  await waitUntil('the service listens', 60, async () => {
    if (child.exitCode !== null) throw new Error(`the service ended: ${log.join('\n')}`);
    address = /listens on (\S+)/.exec(said.join('\n'))?.[1] ?? '';
    return address !== '';
  });
  return address;
}

/** Hourly books of each type, the newest from now. */
async function seed(sql: Sql, name: string, kind: MarketKind, now: Date): Promise<void> {
  const { id: marketId } = await ensureMarket(sql, name, kind);
  const simulator = createSimulator({ offersPerType: 300 });
  await seedHistory(sql, {
    marketId,
    recordsAt: (type, at) => recordsAt(simulator, type, at),
    moments: Array.from(
      { length: moments },
      (_, index) => new Date(now.getTime() - (moments - 1 - index) * hourMs),
    ),
    allocatedStorageGb: 8,
    statistics: pointStatistics,
    now: () => new Date(),
    newId: () => crypto.randomUUID(),
    onProgress: () => {},
  });
}

function recordsAt(
  simulator: ReturnType<typeof createSimulator>,
  type: PricingType,
  at: Date,
): readonly unknown[] {
  const tiers = ['verified', 'unverified', 'deverified'];
  const answer = simulator.search({ type, limit: 10_000, verification: { in: tiers } }, at);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.offers;
}
