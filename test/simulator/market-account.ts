import { onTestFinished } from 'vitest';
import { createSimulator, type Simulator, type SimulatorOptions } from '../../src/simulator/simulator.ts';

/** The virtual and the real moment at which test accounts are opened; time only moves on request. */
export const openedAt = new Date('2026-03-02T00:00:00Z');
export const openedS = openedAt.getTime() / 1000;

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** A served simulator and a client that knows nothing but HTTP. */
export interface TestMarket {
  simulator: Simulator;
  url: string;
  /** Sends JSON with the account's key unless another is given; null: none. */
  call(method: string, path: string, body?: unknown, key?: string | null): Promise<Answer>;
  /** Puts the virtual clock to that many seconds after the opening. */
  goTo(seconds: number): void;
}

/** An offer with round prices: 0.36 $/h is a hundredth of a cent a second. */
export function offer(id: number, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id,
    machine_id: id * 10,
    gpu_name: 'RTX 4090',
    num_gpus: 1,
    gpu_ids: [id],
    dph_base: 0.36,
    storage_cost: 7.2,
    min_bid: 0.1,
    disk_space: 500,
    inet_down_cost: 0.02,
    inet_up_cost: 0.04,
    verification: 'verified',
    rentable: true,
    rented: false,
    external: null,
    avail_vol_ask_id: id + 1000,
    avail_vol_size: 200,
    avail_vol_dph: 0.0001,
    ...more,
  };
}

/** Both pricing types of these offers, as recorded at the opening. */
export const bookOf = (records: Record<string, unknown>[]) =>
  (['on-demand', 'bid'] as const).map((type) => ({
    type,
    observedAt: openedAt,
    format: 'lines' as const,
    records,
  }));

/** A market of these offers in which nothing comes by chance; closed after the test. */
export async function openMarket(
  options: SimulatorOptions = {},
  create = createSimulator,
): Promise<TestMarket> {
  const simulator = create({
    replay: bookOf([offer(1), offer(2), offer(3)]),
    apiKey: 'account-key',
    now: () => openedAt,
    startAt: openedAt,
    bootSeconds: [120, 120],
    failures: { exited: 0, unknown: 0, offline: 0 },
    ...options,
  });
  const { url } = await simulator.listen();
  onTestFinished(() => simulator.close());
  const base = simulator.now().getTime();
  return {
    simulator,
    url,
    goTo(seconds) {
      simulator.advance(seconds - (simulator.now().getTime() - base) / 1000);
    },
    async call(method, path, body, key = 'account-key') {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: key === null ? {} : { authorization: `Bearer ${key}` },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
  };
}

/** Rents an offer and returns the instance's id; fails when it is refused. */
export async function rent(market: TestMarket, offerId: number, more: object = {}): Promise<number> {
  const { body } = await market.call('PUT', `/api/v0/asks/${offerId}/`, {
    image: 'ubuntu',
    disk: 36,
    ...more,
  });
  if (body.success !== true) throw new Error(JSON.stringify(body));
  return body.new_contract as number;
}

/** A list in an answer. */
export const rowsOf = (answer: Answer, name: string): Record<string, unknown>[] =>
  answer.body[name] as Record<string, unknown>[];
