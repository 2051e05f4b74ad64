import { execFile } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { breakSimulator } from '../simulator/mutants/break-simulator.ts';
import { mutantOf } from '../simulator/mutants/mutants.ts';

const script = new URL('../../scripts/contract.ts', import.meta.url).pathname;

function contract(...given: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...given], (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

async function serve(create = createSimulator) {
  const simulator = create({ seed: 11, offersPerType: 400, apiKey: 'a-key-0123456789' });
  onTestFinished(() => simulator.close());
  const { url } = await simulator.listen();
  return { simulator, url };
}

describe('npm run contract', () => {
  it('reads any market without changing it, and counts the cases that it could not judge there', async () => {
    const { simulator, url } = await serve();
    const { code, out } = await contract('--url', url, '--api-key', 'a-key-0123456789', '--read-only');
    expect(out).toMatch(/rows: \d{3}, \d{3} of them tried/);
    expect(out).toMatch(/: \d{3} cases, \d{3} passed, 0 failed, \d+ untold/);
    expect(code).toBe(0);
    const served = simulator.requests();
    expect(served.length).toBeGreaterThan(200);
    // Requests that would change something came without the right key.
    const reading = (method: string, path: string): boolean =>
      method === 'GET' || path.startsWith('/api/v0/bundles');
    expect(
      served.filter(({ method, path, status }) => !reading(method, path) && (status ?? 0) < 400),
    ).toEqual([]);
    expect(simulator.instances()).toEqual([]);
  });

  it('exits with 1 and names the case if a market breaks a promise', async () => {
    const { url } = await serve(await breakSimulator(mutantOf('operator-wrong:gt')));
    const { code, out } = await contract(
      ...['--url', url, '--api-key', 'a-key-0123456789', '--read-only', '--only', 'operator-'],
    );
    expect(out).toContain('FAILED server/operator-gt');
    expect(code).toBe(1);
  });

  it('counts mutants, and exits with 0 if each was detected', async () => {
    const { code, out } = await contract('--mutants', '--only', 'boot-');
    expect(out).toMatch(/mutants: 2, 2 killed, 0 survived/);
    expect(code).toBe(0);
  });

  it('refuses to rent on a market that is not on loopback, and a call without a key', async () => {
    const far = await contract('--url', 'https://market.example', '--api-key', 'a');
    expect([far.code, far.err]).toEqual([2, expect.stringContaining('--read-only')]);
    const keyless = await contract('--url', 'http://127.0.0.1:1', '--read-only');
    expect([keyless.code, keyless.err]).toEqual([2, expect.stringContaining('--api-key')]);
  });
});
