import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { runOfferbook } from '../../support/offerbook-command.ts';

const root = join(import.meta.dirname, '../../..');
const started: ChildProcess[] = [];

afterEach(async () => {
  for (const child of started.splice(0)) {
    child.kill('SIGTERM');
    await once(child, 'close');
  }
});

/** The README's commands of its section on the simulator, as a reader would type them. */
async function readmeCommands(): Promise<{ simulate: string[]; doctor: string[] }> {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const section = readme.split('## A marketplace to build against')[1]?.split('\n## ')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.includes('npx offerbook '));
  const args = (command: string): string[] =>
    (lines.find((line) => line.includes(` ${command}`)) ?? '').split('npx offerbook ')[1]?.split(' ') ?? [];
  return { simulate: args('simulate'), doctor: args('doctor') };
}

/** Starts `offerbook simulate` on a free port; resolves with the address that it prints. */
async function simulate(args: string[]): Promise<string> {
  const port = args.includes('--port') ? args.indexOf('--port') : -1;
  const free = port < 0 ? [...args, '--port', '0'] : args.with(port + 1, '0');
  const child = spawn(process.execPath, [join(root, 'bin/offerbook.mjs'), ...free], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('simulate printed no address');
}

describe("the README's section on the simulator", () => {
  it('is true: the market is served, and the doctor finds nothing wrong', async () => {
    const { simulate: simulateArgs, doctor } = await readmeCommands();
    expect(simulateArgs[0]).toBe('simulate');
    expect(doctor[0]).toBe('doctor');
    const url = await simulate(simulateArgs);
    const key = simulateArgs[simulateArgs.indexOf('--api-key') + 1] ?? '';
    const env = { MARKET_URL: url, MARKET_API_KEY: key };
    const { code, stdout, stderr } = await runOfferbook(doctor, env);
    expect(stderr).toEqual([]);
    expect(stdout).toContain(`Asking ${url}`);
    expect(stdout).toMatch(/^ok +paging: paging by id works/m);
    expect(stdout).toMatch(/^ok +tiers: every verification tier appears/m);
    expect(stdout).not.toMatch(/^(FAILED|WARNING)/m);
    expect(code).toBe(0);
    expect(stdout).not.toContain(key);
  });
});

it('serves the offers of a second kind of market, and refuses options that only the first kind has', async () => {
  const url = await simulate(['simulate', '--kind', 'clore', '--offers', '40']);
  const answer = (await (await fetch(`${url}/v1/marketplace`)).json()) as {
    code: number;
    servers: unknown[];
  };
  expect(answer.code).toBe(0);
  expect(answer.servers.length).toBeGreaterThan(20);
  const refused = await runOfferbook(['simulate', '--kind', 'clore', '--cap', '7'], {});
  expect([refused.code, refused.stderr.join(' ')]).toEqual([
    2,
    expect.stringContaining('--cap is of --kind vast'),
  ]);
});

describe('the doctor', () => {
  it('exits with 1 and names the setting to check when the key is refused', async () => {
    const url = await simulate(['simulate', '--api-key', 'the-right-key']);
    const env = { MARKET_URL: url, MARKET_API_KEY: 'a-wrong-key' };
    const { code, stdout } = await runOfferbook(['doctor', '--burst', '0', '--json'], env);
    expect(code).toBe(1);
    const { findings } = JSON.parse(stdout) as { findings: { status: string; message: string }[] };
    expect(
      findings
        .filter(({ status }) => status === 'failed')
        .map(({ message }) => message)
        .join('\n'),
    ).toMatch(/MARKET_API_KEY/);
    expect(stdout).not.toContain('a-wrong-key');
  });

  it('warns with exit code 3 if a market does not page by id', async () => {
    const url = await simulate([
      'simulate',
      '--api-key',
      'any-key',
      '--cap',
      '200',
      '--fault',
      'unpageable-ids',
    ]);
    const env = { MARKET_URL: url, MARKET_API_KEY: 'any-key' };
    const { code, stdout } = await runOfferbook(['doctor', '--burst', '0'], env);
    expect(stdout).toMatch(/^WARNING +paging/m);
    expect(code).toBe(3);
  });
});

describe('simulate', () => {
  it('gives a new account the requested number of past payments', async () => {
    const countWith = async (...args: string[]): Promise<unknown> => {
      const url = await simulate(['simulate', '--api-key', 'any-key', '--offers', '20', ...args]);
      const filters = encodeURIComponent(JSON.stringify({ when: { gte: 0 } }));
      const answer = await fetch(`${url}/api/v1/invoices?select_filters=${filters}`, {
        headers: { authorization: 'Bearer any-key' },
      });
      return ((await answer.json()) as { total: unknown }).total;
    };
    // The opening credit is one more.
    expect(await countWith('--past-payments', '30')).toBe(31);
    expect(await countWith()).toBe(1);
  });

  it('lists every fault after an unknown one, and requires a key with a state', async () => {
    const wrong = await runOfferbook(
      ['simulate', '--api-key', 'k', '--port', '0', '--fault', 'gremlins'],
      {},
    );
    expect(wrong.code).toBe(1);
    expect(wrong.stderr.join('\n')).toMatch(/Unknown fault "gremlins"\. Known: .*429-json/);
    const keyless = await runOfferbook(['simulate', '--port', '0', '--state', '/tmp/never-written.json'], {});
    expect(keyless.code).toBe(1);
    expect(keyless.stderr.join('\n')).toMatch(/--state needs --api-key/);
  });
});
