import { expect, it } from 'vitest';
import type { AuditLog } from '../../client/client.js';
import { groupAudit } from '../../web/service/group-audit.ts';

type Entry = AuditLog['items'][number];

/** Entries as the API gives them, newest first, from what they have, oldest first. */
const log = (...entries: Partial<Entry>[]): Entry[] =>
  entries
    .map((entry, place) => ({
      ...{
        seq: place + 1,
        at: `2026-11-27T00:00:0${place}Z`,
        market: 'simulator',
        actor: 'ada',
        action: 'rent',
      },
      ...{ phase: 'after', rentalId: null, instanceId: null, detail: {}, hash: '' },
      ...entry,
    }))
    .toReversed();

const shown = (entries: Entry[]) =>
  groupAudit(entries).map(({ at, entry, instanceId, outcome, records }) =>
    [at.slice(-3, -1), entry.action, instanceId, outcome, records.map(({ seq }) => seq).join('+')].join(' '),
  );

it('shows an action and its outcome as one, whatever happened between', () => {
  const entries = log(
    { phase: 'before', rentalId: 'r1', detail: { offerId: 7 } },
    { phase: 'before', rentalId: 'r2' },
    { action: 'sign-in', phase: 'refused', detail: { way: 'token' } },
    { rentalId: 'r1', instanceId: 12, detail: { outcome: 'rented' } },
    { action: 'stop', phase: 'before', instanceId: 12, rentalId: 'r1' },
    { action: 'stop', instanceId: 12, detail: { outcome: 'the market is busy' } },
    { action: 'create-token' },
  );
  expect(shown(entries)).toEqual([
    '06 create-token  Done 7',
    '04 stop 12 The market is busy 5+6',
    '02 sign-in  Refused 3',
    '01 rent  Begun, no outcome yet 2',
    '00 rent 12 Rented 1+4',
  ]);
  expect(groupAudit(entries).at(-1)?.detail).toEqual({ offerId: 7 });
});

it('joins nothing that does not belong together', () => {
  const stop = { action: 'stop', phase: 'before', instanceId: 1 };
  expect(
    shown(log(stop, { action: 'stop', instanceId: 2 }, { action: 'stop', actor: 'bob', instanceId: 1 })),
  ).toEqual(['02 stop 1 Done 3', '01 stop 2 Done 2', '00 stop 1 Begun, no outcome yet 1']);
  const volume = (sizeGb: number, phase: string) => ({ action: 'create-volume', phase, detail: { sizeGb } });
  expect(shown(log(volume(1, 'before'), volume(2, 'before'), volume(1, 'after')))).toEqual([
    '01 create-volume  Begun, no outcome yet 2',
    '00 create-volume  Done 1+3',
  ]);
});
