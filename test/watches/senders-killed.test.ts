import { expect, inject, it } from 'vitest';
import { proveDeliveries } from '../../prove/notify/deliveries.ts';
import { silentLog } from '../support/silent-log.ts';

it('senders killed between send and acknowledgment lose nothing, keep the order and repeat under the same id', async () => {
  const proof = await proveDeliveries({
    seed: 7,
    log: silentLog,
    bookFiles: [],
    server: inject('server'),
    runs: 2,
  });
  expect(proof.failures).toEqual([]);
  expect(proof.counts).toMatchObject({ 'senders killed': 2, 'deliveries written': 12 });
  expect(proof.counts['of them while a receiver answered']).toBe(1);
  expect(proof.counts['of them while nobody listened']).toBe(1);
  expect(proof.counts['received again after a 200']).toBeGreaterThanOrEqual(1);
}, 660_000);
