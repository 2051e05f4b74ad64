import { expect, it } from 'vitest';
import { proveEmbedded } from '../../../prove/embedded.ts';
import { silent } from './sandbox.ts';

it('services and commands that start and end at random never lose a connection or leave a server', async () => {
  const { ok, counts } = await proveEmbedded({ seed: 11, rounds: 5, log: silent });
  expect({ ...counts, ok }).toMatchObject({
    ok: true,
    rounds: 5,
    lostConnections: 0,
    failedStarts: 0,
    mostServersAtOnce: 1,
    serversLeftBehind: 0,
    orphansAtEnd: 0,
  });
  expect(counts.kills).toBeGreaterThan(0);
});
