import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { findMarket } from '../src/books/markets.sql.ts';
import type { Sql } from '../src/database/connection.ts';
import { addAlerts } from '../src/watches/rules/kept-alerts.sql.ts';

const dayMs = 86_400_000;

/** The API of the Offerbook in the pictures. */
export interface Storyteller {
  get: <T>(path: string) => Promise<T>;
  post: <T>(path: string, body: object, headers?: Record<string, string>) => Promise<T>;
}

/** Addresses of views of what the story created. */
export interface Story {
  watch: string;
  listing: string;
  order: string;
  instance: string;
}

/** Calls an Offerbook with an administrator's token; throws for every answer except a success. */
export function createStoryteller(url: string, token: string): Storyteller {
  async function ask<T>(path: string, init: RequestInit): Promise<T> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers };
    const response = await fetch(url + path, { ...init, headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  }
  return {
    get: (path) => ask(path, {}),
    post: (path, body, headers = {}) => ask(path, { method: 'POST', body: JSON.stringify(body), headers }),
  };
}

/**
 * Fills a simulated market's account with things to show: its bills, a watch with alerts, rentals, a budget, a
 * template, a volume, a blocked machine. All of it is made up, like the market.
 */
export async function tellStory(sql: Sql, api: Storyteller): Promise<Story> {
  await syncBills(api);
  const { items: deals } = await api.get<{ items: Deal[] }>(
    '/api/rankings?gpuName=RTX%204090&minDiskGb=60&limit=20',
  );
  const { items: bids } = await api.get<{ items: Deal[] }>(
    '/api/rankings?gpuName=RTX%203090&type=bid&minDiskGb=60&limit=5',
  );
  const watch = await makeWatch(
    sql,
    api,
    Math.max(...deals.slice(0, 3).map(({ usdPerGpuHour }) => usdPerGpuHour)),
  );
  const training = await rent(api, deals.slice(1), () => ({
    ...{ label: 'training', costCenter: 'research', maxHours: 36 },
  }));
  await rent(api, bids, ({ usdPerHour }) => ({
    ...{ label: 'batch', bidUsdPerHour: Math.ceil(usdPerHour * 120) / 100 },
  }));
  await sql`update rental set created_at = created_at - interval '5 days' where label like 'training%' returning id`;
  await api.post('/api/budgets', { monthlyUsd: '200' });
  await api.post('/api/budgets', { monthlyUsd: '50', label: 'fine-tuning', blockRentals: true });
  await api.post('/api/templates', {
    name: 'PyTorch with SSH',
    image: 'pytorch/pytorch:2.9',
    env: '-p 8888:8888',
  });
  await api.post('/api/templates', { name: 'Plain Ubuntu', image: 'ubuntu:24.04', recommendedDiskGb: 20 });
  const { items: storage } = await api.get<{
    items: { volumeOfferId: number; diskSpaceGb: number | null }[];
  }>('/api/volumes/offers');
  const [roomy] = storage.filter(({ diskSpaceGb }) => (diskSpaceGb ?? 0) >= 100);
  if (roomy !== undefined) {
    await api.post('/api/volumes', { volumeOfferId: roomy.volumeOfferId, sizeGb: 100 });
  }
  await api.post('/api/blocklist', { machineId: deals[9]?.machineId, note: 'slow disk' });
  await api.post('/api/blocklist', { hostId: deals[0]?.hostId, kind: 'prefer', note: 'never a problem' });
  await api.post('/api/sheets', { export: 'spend', note: 'the accountant' });
  await api.post('/api/tokens', { name: 'dashboard', role: 'viewer' });
  const order = await makeOrders(api, watch);
  await allReady(api);
  // A machine that is not rented now.
  const best = deals.find(({ machineId }) => machineId !== training.deal.machineId);
  return {
    watch: `/watches/${watch}`,
    listing: `/listings/${best?.listingId}`,
    order: `/orders/${order}`,
    instance: `/instances/${training.instanceId}`,
  };
}

interface Deal {
  offerId: number;
  listingId: string;
  machineId: number;
  hostId: number | null;
  gpuName: string;
  numGpus: number;
  usdPerHour: number;
  usdPerGpuHour: number;
}

/** Syncs the bills of what the simulated account rented in the weeks before. */
async function syncBills(api: Storyteller): Promise<void> {
  for (const kind of ['charges', 'invoices']) await api.post('/api/crawls', { kind });
  for (let tries = 0; tries < 120; tries += 1) {
    const { readUntil } = await api.get<{ readUntil: Record<string, string | null> }>('/api/spend');
    if (Object.values(readUntil).every((at) => at !== null)) return;
    await sleep(500);
  }
  throw new Error('the bills were not synced');
}

/** A watch that reports to a file, with a rule and the alerts that it would have sent. */
async function makeWatch(sql: Sql, api: Storyteller, usd: number): Promise<string> {
  const channel = await api.post<{ id: string }>('/api/channels', {
    kind: 'file',
    name: 'Reports',
    config: { path: 'pictures' },
  });
  const watch = await api.post<{ id: string; market: string }>('/api/watches', {
    name: 'Cheap RTX 4090',
    filters: { gpuName: ['RTX 4090'], minReliability: 0.95 },
    rankBy: 'usdPerGpuHour',
    channelIds: [channel.id],
    reportSchedule: { cron: '0 8 * * *' },
  });
  const rule = { watchId: watch.id, kind: 'priceBelow', params: { usd: Math.ceil(usd * 100) / 100 } };
  const { id: ruleId } = await api.post<{ id: string }>('/api/rules', rule);
  await api.post('/api/rules', { kind: 'burnAbove', params: { usdPerHour: 2 } });
  const { firings } = await api.post<{ firings: { at: string; value: number | null }[] }>(
    '/api/rules/backtest',
    rule,
  );
  const marketId = (await findMarket(sql, watch.market))?.id ?? 0;
  const alerts = firings.map(({ at, value }) => {
    const title = `Cheap RTX 4090: $${value?.toFixed(3)} is below $${rule.params.usd}`;
    const notice = {
      kind: 'alert' as const,
      title,
      lines: [],
      link: null,
      at,
      watchId: watch.id,
      ruleId,
      data: {},
    };
    return {
      ...{ id: uuidv7(), ruleId, marketId, at: new Date(at), bookId: null, value, baseline: rule.params.usd },
      ...{ previous: null, notice, heldUntil: null, suppressed: null },
    };
  });
  await addAlerts(sql, alerts, new Date());
  await api.post(`/api/channels/${channel.id}/test`, {});
  await api.post(`/api/watches/${watch.id}/report`, { send: true });
  return watch.id;
}

interface Rented {
  deal: Deal;
  instanceId: number;
}

/** Rents the first of the deals that is still offered: the market goes on after its newest book. */
async function rent(
  api: Storyteller,
  deals: readonly Deal[],
  request: (deal: Deal) => object,
): Promise<Rented> {
  for (const deal of deals) {
    const body = { offerId: deal.offerId, image: 'pytorch/pytorch:2.9', diskGb: 40, ...request(deal) };
    const { wouldRent } = await api.post<{ wouldRent: boolean }>('/api/quotes', body).catch(() => ({
      wouldRent: false,
    }));
    if (!wouldRent) continue;
    const headers = { 'idempotency-key': uuidv7() };
    const { instanceId } = await api.post<{ instanceId: number }>('/api/instances', body, headers);
    return { deal, instanceId };
  }
  throw new Error('none of the deals can be rented');
}

/** A draft, an order that waits, and one that has rented; returns the last. */
async function makeOrders(api: Storyteller, watchId: string): Promise<string> {
  const { id: older } = await api.post<{ id: string }>('/api/watches', {
    name: 'RTX 3090 for a night',
    filters: { gpuName: ['RTX 3090'], minReliability: 0.9 },
    rankBy: 'usdPerGpuHour',
  });
  const request = { image: 'pytorch/pytorch:2.9', diskGb: 40, maxHours: 8, endAction: 'destroy' };
  const at = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
  const add = async (order: object, arms: boolean): Promise<string> => {
    const { id } = await api.post<{ id: string }>('/api/orders', { request, ...order });
    await api.post(`/api/orders/${id}/dry-run`, {});
    if (arms) await api.post(`/api/orders/${id}/arm`, {});
    return id;
  };
  const only = (usd: number) => [{ watchId: older, maxUsdPerGpuHour: usd }];
  await add({ name: 'evaluation', endsAt: at(5), choices: only(0.4) }, false);
  await add({ name: 'below 5 cents', count: 4, endsAt: at(14), choices: only(0.05), budgetUsd: '20' }, true);
  const choices = [
    { watchId, maxUsdPerGpuHour: 0.9, maxPercentile: { percentile: 40, days: 30 } },
    { watchId: older, maxUsdPerGpuHour: 0.6 },
  ];
  return await add({ name: 'night run', count: 2, endsAt: at(3), choices, budgetUsd: '25' }, true);
}

async function allReady(api: Storyteller): Promise<void> {
  for (let tries = 0; tries < 120; tries += 1) {
    const { items } = await api.get<{ items: { state: string }[] }>('/api/instances');
    if (items.length > 0 && items.every(({ state }) => state === 'ready')) return;
    await sleep(1_000);
  }
}
