import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import { pauseOrder } from '../../src/orders/order-changes.ts';
import { switchActions } from '../../src/rentals/instances/change-instance.ts';
import type { Notice } from '../../src/watches/channels/notice.ts';
import { createTestAccount } from '../rentals/test-account.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { requireDescribedNotices } from '../watches/described-webhooks.ts';
import { armNew, by, carryOut, makeWatch, publicUrl } from './test-orders.ts';

const { sql } = await createTestDatabase();

async function makeChannel(name: string): Promise<string> {
  const id = uuidv7();
  await sql`insert into channel (id, kind, name, config, created_at)
    values (${id}, 'file', ${name}, ${sql.json({ path: name, format: 'md' })}, now())`;
  return id;
}

/** The notices that wait for a channel, in order. */
async function noticesOf(channelId: string): Promise<Notice[]> {
  const rows = await sql<
    { notice: string }[]
  >`select notice from delivery where channel_id = ${channelId} order by place`;
  return rows.map(({ notice }) => JSON.parse(notice) as Notice);
}

it('each step of an order is a message to its channels, else to those of its watch, and a reason to wait is told once', async () => {
  const account = await createTestAccount(sql);
  await account.crawl();
  const [own, ofWatch] = [await makeChannel('own'), await makeChannel('of-watch')];
  const { id: watchId } = await makeWatch(account);
  await sql`update watch set channel_ids = array[${ofWatch}]::uuid[] where id = ${watchId}`;
  const choices = [{ watchId, maxUsdPerGpuHour: 100 }];
  const first = await armNew(account, { name: 'first', choices, channelIds: [own] });
  const second = await armNew(account, { name: 'second', choices });
  await switchActions(account.actor, { enabled: false, by });
  await carryOut(account.actor);
  await carryOut(account.actor);
  await switchActions(account.actor, { enabled: true, by });
  await pauseOrder({ actor: account.actor, publicUrl, by }, second.id);
  await carryOut(account.actor);
  await account.pass(120);
  await carryOut(account.actor);
  const steps = (notices: Notice[]) => notices.map(({ data }) => data.step);
  const told = await noticesOf(own);
  expect(steps(told)).toEqual(['armed', 'waits', 'rented', 'waits', 'filled']);
  expect(steps(await noticesOf(ofWatch))).toEqual(['armed', 'waits', 'paused']);
  const [instance] = account.simulator.instances();
  expect(told[2]).toMatchObject({ kind: 'order', link: `${publicUrl}/orders/${first.id}`, watchId: null });
  expect(told[2]?.title).toMatch(
    new RegExp(
      `^Order first: attempt 1 rented machine ${instance?.machineId} at \\$[0-9]+\\.[0-9]{2,4}/hour$`,
    ),
  );
  expect(told[1]?.lines[1]).toContain('offerbook actions on');
  expect(told.at(-1)?.data).toMatchObject({ orderId: first.id, state: 'filled' });
  expect(await requireDescribedNotices(sql)).toEqual(['order']);
});
