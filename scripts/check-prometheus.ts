// Starts Offerbook with an account and a real Prometheus, and requires data for every panel of the dashboard and no error
// in any alert rule. Needs the programs `prometheus` and `promtool`.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startService } from '../src/main.ts';
import { loadConfig } from '../src/service/config.ts';
import { createSimulator } from '../src/simulator/simulator.ts';
import { readAlerts, readDashboard } from '../test/support/dashboard-queries.ts';
import { freePort } from '../test/support/free-port.ts';
import { silentLog } from '../test/support/silent-log.ts';

const patienceMs = 40_000;
const token = 'a-token-of-this-check-alone';
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const failures: string[] = [];
const folder = await mkdtemp(join(tmpdir(), 'offerbook-prometheus-'));
const closing: (() => Promise<unknown>)[] = [];
try {
  const simulator = createSimulator({
    ...{ offersPerType: 200, openingCreditUsd: 1_000, bootSeconds: [1, 2] },
    failures: { exited: 0, unknown: 0, offline: 0 },
  });
  closing.push(() => simulator.close());
  const market = await simulator.listen();
  const config = loadConfig({
    ...{ DATA_DIR: join(folder, 'data'), PORT: String(await freePort()), OFFERBOOK_TOKEN: token },
    ...{ MARKET_URL: market.url, MARKET_API_KEY: simulator.apiKey, SEARCHES_PER_MINUTE: '600' },
    ...{ ACTIONS: 'on', MAX_USD_PER_HOUR: '100', MAX_INSTANCES: '10', MAX_TOTAL_USD_PER_HOUR: '500' },
  });
  const service = await startService(config, silentLog);
  closing.push(async () => {
    await service.stop();
    // As root the database lies outside of the folder.
    const cluster = await realpath(join(folder, 'data/pg'));
    for (const end of ['', '-run', '-start.lock', '-use.lock'])
      await rm(cluster + end, { recursive: true, force: true });
  });
  await fillAccount(service.url);
  const prometheus = await startPrometheus(service.url);
  await checkWithPromtool(service.url);
  const panels = await checkDashboard(prometheus);
  const alerts = await checkRules(prometheus);
  process.stdout.write(
    `${panels} expressions of panels, ${alerts} alert rules, ${failures.length} failures\n`,
  );
} finally {
  for (const close of closing.reverse()) await close();
  await rm(folder, { recursive: true, force: true });
}
for (const failure of failures) process.stdout.write(`FAILED: ${failure}\n`);
process.exitCode = failures.length === 0 ? 0 : 1;

/** Crawls the market, rents, records a balance and sets budgets. */
async function fillAccount(url: string): Promise<void> {
  const get = async <T>(path: string): Promise<T> => {
    const answer = await fetch(url + path, { headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const send = async (path: string, body: object, key = path): Promise<Response> =>
    await fetch(url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { ...headers, 'idempotency-key': key },
    });
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await send(path, body);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  const at = new Date(Date.now() - 1_000).toISOString();
  await post('/api/crawls', { kind: 'offers' });
  const types = async () => (await get<{ newestBooks: { type: string }[] }>('/api/status')).newestBooks;
  await until('books on demand and of bids', async () => {
    const found = (await types()).map(({ type }) => type);
    return found.includes('on-demand') && found.includes('bid');
  });
  const { items } = await get<{ items: { offerId: number }[] }>('/api/rankings?by=usdPerGpuHour&limit=50');
  let rented = 0;
  for (const { offerId } of items) {
    const body = { offerId, diskGb: 20, image: 'ubuntu:24.04', label: `job ${rented}` };
    const answer = await send('/api/instances', body, `rent-${offerId}`);
    // Some have left the market since the book, as they do on a real one.
    if (!answer.ok && answer.status !== 410) throw new Error(`renting: ${await answer.text()}`);
    if (answer.ok) rented += 1;
    if (rented === 2) break;
  }
  await post('/api/budgets', { monthlyUsd: '200' });
  await post('/api/budgets', { monthlyUsd: '50', label: 'job 1' });
  await post('/api/balances', { at, amountUsd: '900' });
  for (const kind of ['invoices', 'charges', 'instances']) await post('/api/crawls', { kind });
}

/** Starts Prometheus with the configuration of docs/prometheus, only faster; returns its address. */
async function startPrometheus(service: string): Promise<string> {
  await cp('docs/prometheus', folder, { recursive: true });
  await writeFile(join(folder, 'offerbook-token'), token);
  const given = await readFile(join(folder, 'prometheus.yml'), 'utf8');
  const faster = given
    .replaceAll(/(_interval): 30s/g, '$1: 1s')
    .replace(/scrape_timeout: \w+/, 'scrape_timeout: 1s')
    .replace('127.0.0.1:8080', new URL(service).host);
  await writeFile(join(folder, 'prometheus.yml'), faster);
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'series')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4_000);
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.once('exit', () => resolve());
    child.once('error', reject);
  });
  closing.push(async () => await end(child, ended));
  await until('Prometheus', async () => {
    if (child.exitCode !== null) throw new Error(said);
    return (await fetch(`http://${address}/-/ready`).catch(() => null))?.ok === true;
  });
  return `http://${address}`;
}

async function end(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill('SIGTERM');
  await ended;
}

async function checkWithPromtool(service: string): Promise<void> {
  await promtool(['check', 'config', 'prometheus.yml']);
  await promtool(['check', 'rules', 'alerts.yml']);
  await promtool(['test', 'rules', 'alerts.test.yml']);
  const text = await (await fetch(`${service}/metrics`, { headers })).text();
  // The process's own metrics have the names of the library, and quantiles of one book are no summary of a stream.
  const own = text
    .split('\n')
    .filter((line) => /^(# \w+ )?offerbook_/.test(line))
    .map((line) => line.replace(/,quantile=/, ',of_book='));
  await promtool(['check', 'metrics'], `${own.join('\n')}\n`);
}

async function promtool(args: string[], input = ''): Promise<void> {
  await new Promise<void>((resolve) => {
    const child = execFile('promtool', args, { cwd: folder }, (error, stdout, stderr) => {
      if (error !== null || /FAILED/.test(stdout))
        failures.push(`promtool ${args.join(' ')}: ${stdout}${stderr}`);
      resolve();
    });
    child.stdin?.end(input);
  });
}

/** Asks for what each panel shows, with the variables as they are at first; returns the number of expressions. */
async function checkDashboard(prometheus: string): Promise<number> {
  const { panels, variables } = readDashboard();
  const chosen = new Map<string, string>();
  const fill = (text: string): string =>
    text.replaceAll(/\$(\w+)/g, (_, name: string) => chosen.get(name) ?? '');
  for (const { name, selector, label, multi, chosen: first } of variables) {
    let values: string[] = [];
    const query = new URLSearchParams({ 'match[]': fill(selector) });
    await until(`values of ${name}`, async () => {
      values = await ask<string[]>(prometheus, `label/${label}/values?${query}`);
      return values.length > 0 && (first === '$__all' || values.includes(first));
    });
    const own = first === '$__all' ? values : [first];
    const pattern = own.map((value) => value.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\\\$&')).join('|');
    chosen.set(name, multi ? pattern : (own[0] ?? ''));
  }
  const asked = panels.flatMap(({ title, expressions }) => expressions.map((text) => ({ title, text })));
  for (const { title, text } of asked) {
    const query = new URLSearchParams({ query: fill(text) });
    try {
      await until(`data of "${title}": ${text}`, async () => {
        const { result } = await ask<{ result: { value: [number, string] }[] }>(prometheus, `query?${query}`);
        return result.some(({ value: [, value] }) => Number.isFinite(Number(value)));
      });
    } catch (error) {
      failures.push(String(error));
    }
  }
  return asked.length;
}

/** Requires each rule to be loaded and evaluated without an error; returns their number. */
async function checkRules(prometheus: string): Promise<number> {
  interface Rule {
    name: string;
    query: string;
    health: string;
    lastError?: string;
    state: string;
  }
  const read = async (): Promise<Rule[]> =>
    (await ask<{ groups: { rules: Rule[] }[] }>(prometheus, 'rules?type=alert')).groups.flatMap(
      ({ rules }) => rules,
    );
  await until('evaluated rules', async () => (await read()).every(({ health }) => health !== 'unknown'));
  const rules = await read();
  const names = [...readAlerts().keys()];
  const loaded = rules.map(({ name }) => name).sort();
  if (loaded.join() !== names.sort().join()) failures.push(`these rules are loaded: ${loaded.join()}`);
  for (const { name, health, lastError } of rules)
    if (health !== 'ok') failures.push(`${name}: ${health} ${lastError ?? ''}`);
  // A healthy service raises none.
  for (const { name, state, query } of rules)
    if (state === 'firing') failures.push(`${name} fires without a reason: ${query}`);
  return rules.length;
}

async function ask<T>(prometheus: string, path: string): Promise<T> {
  const answer = await fetch(`${prometheus}/api/v1/${path}`);
  const { status, data, error } = (await answer.json()) as { status: string; data: T; error?: string };
  if (status !== 'success') throw new Error(`${path}: ${error ?? status}`);
  return data;
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`no ${what} within ${patienceMs / 1_000} s`);
    await delay(200);
  }
}
