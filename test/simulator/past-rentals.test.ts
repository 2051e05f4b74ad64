import { describe, expect, it } from 'vitest';
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';

/** A Thursday; the last whole week ends on Monday, 23 November. */
const now = new Date('2026-11-26T12:00:00Z');
const open = (at = now, pastRentals = true): Simulator =>
  createSimulator({ offersPerType: 700, pastRentals, now: () => at });

describe('past rentals of a simulated account', () => {
  const simulator = open();
  const rentals = simulator.instances();

  it('are ended, of several models and labels, one by bid, in each of the last eight whole weeks', () => {
    const weeks = new Set(rentals.map(({ createdS }) => Math.floor((createdS - 345_600) / 604_800)));
    expect(weeks.size).toBe(8);
    expect(new Set(rentals.map(({ label }) => label)).size).toBe(3);
    expect(rentals.filter(({ isBid }) => isBid)).toHaveLength(8);
    expect(rentals.every(({ phase }) => phase === 'destroyed')).toBe(true);
    expect(Math.max(...rentals.map(({ destroyedS }) => destroyedS ?? 0))).toBeLessThan(
      Date.parse('2026-11-23T00:00:00Z') / 1000,
    );
  });

  it('cost what the market listed when they began', () => {
    const market = open(now, false);
    for (const { createdS, machineId, isBid, steps } of rentals) {
      const listed = market
        .offersAt(new Date(createdS * 1000), { type: isBid ? 'bid' : 'on-demand' })
        .filter(({ machine_id, rentable }) => machine_id === machineId && rentable === true);
      const [paid] = steps.map(({ usdPerHour }) => Number(usdPerHour));
      if (isBid) expect(listed.some(({ min_bid }) => Number(min_bid) < Number(paid))).toBe(true);
      else expect(listed.map(({ dph_base }) => dph_base)).toContain(paid);
    }
  });

  it('are paid before they begin, and leave some credit', () => {
    const paid = simulator.invoices().reduce((sum, { amountUsd }) => sum - Number(amountUsd), 0);
    const spent = simulator.charges().reduce((sum, { amountUsd }) => sum + Number(amountUsd), 0);
    expect(simulator.invoices()).toHaveLength(8);
    expect(spent).toBeGreaterThan(50);
    expect(paid - spent).toBeGreaterThan(100);
  });

  it('are the same at every start in a week, and a week later but for the oldest and the newest week', () => {
    const entries = (of: Simulator) => [
      ...of.charges().map((charge) => JSON.stringify(charge)),
      ...of.invoices().map((invoice) => JSON.stringify(invoice)),
    ];
    expect(entries(open(new Date('2026-11-23T00:00:00Z')))).toEqual(entries(simulator));
    const later = new Set(entries(open(new Date('2026-12-03T12:00:00Z'))));
    const isOfOldest = (entry: string) => Number(/"startS":(\d+)/.exec(entry)?.[1]) < weekOf('2026-10-05');
    expect(entries(simulator).filter((entry) => !later.has(entry) && !isOfOldest(entry))).toEqual([]);
  });

  it('are left out unless they are wanted: a new account then begins with its opening credit alone', () => {
    expect(open(now, false).invoices()).toMatchObject([{ description: 'Opening credit' }]);
    expect(open(now, false).instances()).toEqual([]);
  });
});

const weekOf = (monday: string): number => Date.parse(`${monday}T00:00:00Z`) / 1000;
