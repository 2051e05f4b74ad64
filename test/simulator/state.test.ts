import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSimulator, type SimulatorOptions } from '../../src/simulator/simulator.ts';
import { bookOf, offer, openedAt, openMarket, rent, rowsOf } from './market-account.ts';

function stateFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'offerbook-simulator-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'state.json');
}

const calm: SimulatorOptions = {
  replay: bookOf([offer(1), offer(2)]),
  apiKey: 'account-key',
  bootSeconds: [120, 120],
  failures: { exited: 0, unknown: 0, offline: 0 },
};

describe('the state of a simulator', () => {
  it('continues after a restart: instances live on and are billed for the time in between', async () => {
    const state = stateFile();
    const first = await openMarket({ state, seed: 7 });
    const made = await first.call('PUT', '/api/v0/asks/1/', { image: 'ubuntu', disk: 36 });
    await first.call('PUT', '/api/v0/volumes/', { id: 1002, name: 'kept' });
    const login = { docker_login_repo: '', docker_login_user: '', docker_login_pass: '' };
    await first.call('POST', '/api/v0/template/', { name: 'kept', image: 'u', ...login });
    const scoped = first.simulator.addKey('reader', ['instance_read']);
    await first.simulator.close();

    // An hour and two minutes later: gpu 3600 s and disk 3720 s at 0.0001 $, 15 GB at 0.0001 $/GB/h for 3720 s.
    const market = await openMarket({ ...calm, state, now: () => new Date(openedAt.getTime() + 3_720_000) });
    expect(market.simulator.instances()).toMatchObject([{ id: made.body.new_contract, phase: 'running' }]);
    expect(
      market.simulator.charges().map(({ source, amountUsd }) => [source.slice(0, 6), amountUsd]),
    ).toEqual([
      ['instan', '0.732000'],
      ['volume', '0.001550'],
    ]);
    expect(rowsOf(await market.call('GET', '/api/v0/template/'), 'templates')[0]?.name).toBe('kept');
    expect((await market.call('GET', '/api/v0/instances/', undefined, scoped)).status).toBe(200);
    const key = String(made.body.instance_api_key);
    expect(
      await market.call('DELETE', `/api/v0/instances/${made.body.new_contract}/`, undefined, key),
    ).toEqual({
      status: 200,
      body: { success: true },
    });
    expect(() => createSimulator({ state, seed: 8 })).toThrow('seed 7');
  });

  it('is the same when read back, and nothing is lost or created twice', async () => {
    const state = stateFile();
    const market = await openMarket({ state, pastPayments: 5 });
    await rent(market, 1, { label: 'ü "quoted"', env: { A: '1' } });
    market.goTo(100_000);
    const truth = [market.simulator.instances(), market.simulator.charges(), market.simulator.invoices()];
    await market.simulator.close();
    const again = createSimulator({ ...calm, state, now: () => openedAt });
    expect([again.instances(), again.charges(), again.invoices()]).toEqual(truth);
    await again.close();
  });

  it('is written before a change is answered, completely or not at all, and contains no key', async () => {
    const state = stateFile();
    const market = await openMarket({ state });
    const { body } = await market.call('PUT', '/api/v0/asks/1/', { image: 'ubuntu' });
    const text = readFileSync(state, 'utf8');
    expect(text).toContain(String(body.new_contract));
    expect(text).not.toContain(String(body.instance_api_key));
    expect(text).not.toContain('account-key');
    expect(readdirSync(join(state, '..'))).toEqual(['state.json']);
  });

  it.each([
    ['no JSON', '{'],
    ['another version', '{"version": 2}'],
    ['a list', '[]'],
  ])('is refused, not overwritten, if it is %s', (_, text) => {
    const state = stateFile();
    writeFileSync(state, text);
    expect(() => createSimulator({ state })).toThrow('move it away');
    expect(readFileSync(state, 'utf8')).toBe(text);
  });
});
