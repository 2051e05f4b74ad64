import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';
import { runOfferbook } from '../support/offerbook-command.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';

const apiKey = 'key-of-the-account';

describe('offerbook crawl invoices and charges', () => {
  let simulator: Simulator;
  let env: Record<string, string>;
  const folder = mkdtempSync(join(tmpdir(), 'offerbook-bills-'));

  beforeAll(async () => {
    simulator = createSimulator({ offersPerType: 20, apiKey, pastPayments: 129, autoTopUp: null });
    const { url } = await simulator.listen();
    const { target } = await createTestDatabase();
    const dialect = join(folder, 'dialect.json');
    writeFileSync(dialect, JSON.stringify({ minIntervalSeconds: { invoices: 0, charges: 0 } }));
    env = {
      ...{ DATABASE_URL: databaseUrl(target), DATA_DIR: folder, MARKET_DIALECT: dialect },
      ...{ MARKET_URL: url, MARKET_API_KEY: apiKey },
    };
  });

  afterAll(async () => {
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('read the whole history, then only what may have changed', async () => {
    const first = await runOfferbook(['crawl', 'invoices'], env);
    expect(first).toMatchObject({ code: 0, stderr: [] });
    expect(first.stdout).toMatch(
      /^invoices +Entries +New +Changed +Disappeared +Pages +Seconds\ncomplete +130 +130 +0 +0 +3 /,
    );
    const { stdout, code } = await runOfferbook(['crawl', 'invoices', '--json'], env);
    expect(code).toBe(0);
    const answer = JSON.parse(stdout) as { certificate: { rows: number } };
    expect(answer).toMatchObject({
      of: 'invoices',
      outcome: 'complete',
      certificate: { kept: { added: 0, changed: 0 } },
    });
    expect(answer.certificate.rows).toBeLessThan(130);
  });

  it('fail with the reason and exit code 1, and continue from there', async () => {
    simulator.setFaults(['success-false@/api/v1/invoices']);
    const failed = await runOfferbook(['crawl', 'invoices', '--all'], env);
    expect(failed.code).toBe(1);
    expect(failed.stderr.join('\n')).toMatch(
      /invoices: the market answered with an error: GET .*answered 200.*temporarily_unavailable/,
    );
    expect(failed.stderr.join('\n')).not.toContain(apiKey);
    simulator.setFaults([]);
    expect((await runOfferbook(['crawl', 'invoices', '--all'], env)).code).toBe(0);
  });

  it('report calmly that a market lists no charges', async () => {
    expect((await runOfferbook(['crawl', 'charges'], env)).code).toBe(0);
    const dialect = join(folder, 'without.json');
    writeFileSync(dialect, JSON.stringify({ extensions: { charges: false } }));
    const without = await runOfferbook(['crawl', 'charges'], { ...env, MARKET_DIALECT: dialect });
    expect(without).toEqual({
      code: 0,
      stdout: 'This market does not list charges: nothing to do.\n',
      stderr: [],
    });
  });
});
