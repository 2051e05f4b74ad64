import { describe, expect, it } from 'vitest';
import { findPlan } from '../../src/rentals/instances/plans.sql.ts';
import { rent } from '../../src/rentals/rent/rent.ts';
import { findRental } from '../../src/rentals/rent/rentals.sql.ts';
import { settleByPerson } from '../../src/rentals/rent/settle-by-person.ts';
import { judgeSettlement } from '../../src/rentals/rent/settle-rentals.ts';
import type { RentalState } from '../../src/rentals/rental.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { createTestAccount } from './test-account.ts';

const id = '0190a1b2-0000-7000-8000-000000000001';
const other = '0190a1b2-0000-7000-8000-000000000002';
const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000);

type Case = Parameters<typeof judgeSettlement>[0];
const rental = {
  ...{ id, machineId: 7, numGpus: 2, type: 'on-demand', diskGb: 20, baseline: [1] },
  ...{ settleBy: at(180), state: 'settling', instanceId: null, request: { image: 'mine' } },
} as unknown as Case['rental'];

interface Listed {
  id: number;
  label?: string;
  machine?: number;
  gpus?: number;
  disk?: number;
  type?: string;
  image?: string;
  /** Seconds at which a list first had it, and at which the market says that it began. */
  seenS?: number;
  startedS?: number;
}

const judge = (
  listed: readonly Listed[],
  of: {
    atS?: number;
    unidentified?: number;
    claimed?: number[];
    shows?: boolean | null;
    decidedS?: number;
    state?: RentalState;
    /** Images of other unclear creates on the machine; null: of a template. */
    rivals?: (string | null)[];
  } = {},
) =>
  judgeSettlement({
    rental: { ...rental, state: of.state ?? rental.state },
    poll: { polledAt: at(of.atS ?? 200), unidentified: of.unidentified ?? 0 },
    instances: listed.map((one) => ({
      ...{
        instanceId: one.id,
        label: one.label ?? null,
        machineId: one.machine ?? 7,
        numGpus: one.gpus ?? 2,
      },
      ...{ diskSpaceGb: one.disk ?? 20, type: one.type ?? 'on-demand', image: one.image ?? null },
      firstSeenAt: at(one.seenS ?? 60),
      startedAt: one.startedS === undefined ? null : at(one.startedS),
    })) as unknown as Case['instances'],
    claimed: new Set(of.claimed ?? []),
    rivals: (of.rivals ?? []).map((image) => ({
      ...rental,
      id: other,
      request: image === null ? {} : { image },
    })),
    shows: of.shows ?? null,
    decidedAt: at(of.decidedS ?? of.atS ?? 200),
  });

describe('a create with a lost answer', () => {
  it.each<[what: string, kind: string, verdict: ReturnType<typeof judge>]>([
    ['has its id in a label, at once', 'found', judge([{ id: 2, label: `x #${id}` }], { atS: 10 })],
    ['is not decided by likeness before the time', 'wait', judge([{ id: 2 }], { atS: 179 })],
    ['is the one that is new on its machine, then', 'found', judge([{ id: 2 }])],
    ['is none where nothing is new', 'none', judge([{ id: 1 }])],
    [
      'is none where labels are shown and nothing is like it',
      'none',
      judge([{ id: 2, machine: 8 }], { shows: true }),
    ],
    [
      'is in doubt where labels are shown but not on one like it',
      'doubt',
      judge([{ id: 2 }], { shows: true }),
    ],
    ['is not another rental’s instance', 'none', judge([{ id: 2 }], { claimed: [2] })],
    ['is not one with another rental’s id', 'none', judge([{ id: 2, label: `#${other}` }])],
    ['is not one of another machine', 'none', judge([{ id: 2, machine: 8 }])],
    ['is not one with other GPUs', 'none', judge([{ id: 2, gpus: 1 }])],
    ['is not one with another disk', 'none', judge([{ id: 2, disk: 100 }])],
    ['is not a bid', 'none', judge([{ id: 2, type: 'bid' }])],
    [
      'is not one that came after its time was over',
      'none',
      judge([{ id: 2, seenS: 260 }], { atS: 300, decidedS: 190 }),
    ],
    [
      '… by the market’s own word, where nothing polled',
      'none',
      judge([{ id: 2, seenS: 9e4, startedS: 8e4 }], { atS: 9e4 }),
    ],
    [
      'is one that the first list after a pause has',
      'found',
      judge([{ id: 2, seenS: 9e4, startedS: 5 }], { atS: 9e4 }),
    ],
    [
      'that a person was asked about is not decided by likeness',
      'wait',
      judge([{ id: 2 }], { state: 'unsettled' }),
    ],
    ['… but by its label', 'found', judge([{ id: 2, label: `#${id}` }], { state: 'unsettled' })],
    [
      'of several unclear ones, is the one with the image',
      'found',
      judge([{ id: 2, image: 'mine' }], { rivals: ['theirs'] }),
    ],
    ['… and none if it is of another', 'none', judge([{ id: 2, image: 'theirs' }], { rivals: ['theirs'] })],
    ['… or of any if all have the same', 'found', judge([{ id: 2, image: 'mine:x' }], { rivals: ['mine'] })],
    ['… in doubt if the image is of none', 'doubt', judge([{ id: 2, image: 'x' }], { rivals: ['theirs'] })],
    ['… in doubt beside one of a template', 'doubt', judge([{ id: 2, image: 'mine' }], { rivals: [null] })],
    ['is in doubt between two', 'doubt', judge([{ id: 2 }, { id: 3 }])],
    ['is in doubt between two of its label', 'doubt', judge([2, 3].map((n) => ({ id: n, label: `#${id}` })))],
    ['is in doubt while the list does not identify all', 'doubt', judge([{ id: 2 }], { unidentified: 1 })],
  ])('%s', (_, kind, verdict) => {
    expect(verdict.kind).toBe(kind);
  });

  it('is found if the market ignored its label but shows those of later creates', async () => {
    const { sql } = await createTestDatabase();
    const account = await createTestAccount(sql);
    const { actor, simulator } = account;
    simulator.setFaults(['labels-ignored', 'lost-create#1']);
    const lost = (await rent(actor, account.request(0), { key: 'lost', by: 'tester' })).rental;
    simulator.setFaults([]);
    const later = (await rent(actor, account.request(1), { key: 'later', by: 'tester' })).rental;
    await account.pass(200);
    const [own, other] = simulator.instances();
    expect(other).toMatchObject({ id: later.instanceId, label: `#${later.id}` });
    expect(await findRental(sql, lost.id)).toMatchObject({ instanceId: own?.id, state: 'ready' });
  });

  it('is found if the market stopped showing labels just before, as a later create reveals', async () => {
    const { sql } = await createTestDatabase();
    const account = await createTestAccount(sql);
    const { actor, simulator } = account;
    await rent(actor, account.request(0), { key: 'shown', by: 'tester' });
    await account.pass(60);
    simulator.setFaults(['labels-ignored', 'lost-create#1']);
    const lost = (await rent(actor, account.request(1), { key: 'lost', by: 'tester' })).rental;
    simulator.setFaults(['labels-ignored']);
    const later = (await rent(actor, account.request(2), { key: 'later', by: 'tester' })).rental;
    await account.pass(200);
    const [, own, other] = simulator.instances();
    expect(other).toMatchObject({ id: later.instanceId });
    expect(await findRental(sql, lost.id)).toMatchObject({ instanceId: own?.id, state: 'ready' });
  });

  it("is found among others' on a market without labels, and left to a person if two match", async () => {
    const { sql } = await createTestDatabase();
    const account = await createTestAccount(sql);
    const { actor, simulator } = account;
    simulator.setFaults(['labels-ignored', 'lost-create#1']);
    const one = (await rent(actor, account.request(0), { key: 'one', by: 'tester' })).rental;
    await account.pass(30);
    expect((await findRental(sql, one.id))?.state).toBe('settling');
    await account.pass(170);
    const [truth] = simulator.instances();
    expect(await findRental(sql, one.id)).toMatchObject({ instanceId: truth?.id });
    // A machine with two chunks: somebody else takes the second with the same disk.
    const chunks = Map.groupBy(
      simulator
        .offersAt(undefined, { storageGb: 20 })
        .filter((row) => row.rentable === true && row.vms_enabled !== true && Number(row.disk_space) >= 40),
      (row) => `${row.machine_id} ${row.num_gpus}`,
    );
    const pair = [...chunks.values()].find(
      ([first, second]) =>
        first !== undefined &&
        second !== undefined &&
        !(first.gpu_ids as number[]).some((gpu) => (second.gpu_ids as number[]).includes(gpu)),
    );
    simulator.setFaults(['labels-ignored', 'lost-create#1']);
    const request = account.request(0, {
      offerId: Number(pair?.[0]?.id),
      maxHours: 5,
      costCenter: 'research',
    });
    const two = (await rent(actor, request, { key: 'two', by: 'tester' })).rental;
    await account.client.createInstance(Number(pair?.[1]?.id), { image: 'theirs', diskGb: 20 });
    await account.pass(200);
    const unsettled = await findRental(sql, two.id);
    expect(unsettled?.state).toBe('unsettled');
    const ours = simulator.instances().at(-2)?.id ?? 0;
    const settle = async (instanceId: number, of = actor) =>
      await settleByPerson(of, two, { instanceId, by: 'tester' });
    const elsewhere = { ...actor, market: { ...actor.market, id: actor.market.id + 1 } };
    await expect(settle(ours, elsewhere)).rejects.toThrow('belongs to the market');
    await expect(settle(4_711)).rejects.toThrow('has no instance 4711');
    await expect(settle(truth?.id ?? 0)).rejects.toThrow('another rental');
    expect((await findRental(sql, two.id))?.state).toBe('unsettled');
    await settle(ours);
    expect(await findPlan(sql, actor.market.id, ours)).toMatchObject({ maxHours: 5, costCenter: 'research' });
    await expect(settle(ours)).rejects.toThrow('another rental');
    await account.pass(10);
    expect(await findRental(sql, two.id)).toMatchObject({ instanceId: ours, state: 'ready' });
  });
});
