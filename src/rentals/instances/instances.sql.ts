import { assignments, columnList } from '../../database/column-lists.ts';
import type { Db, Sql } from '../../database/connection.ts';
import type { Instance } from '../../market/instance.ts';
import { publishEvent } from '../events.sql.ts';
import { isRentalWaiting } from '../rent/waiting.sql.ts';
import { enterSpend } from '../spend-moment.sql.ts';
import { type InstanceCrawl, recordInstanceCrawl } from './instance-crawls.sql.ts';
import { noteInstanceFacts } from './instance-facts.sql.ts';
import { noteGone, noteRates } from './instance-rates.sql.ts';
import { isProvisioning } from './provisioning.ts';

/** One list of all instances of an account. */
export interface InstancePoll {
  marketId: number;
  /** When it was requested: an instance that it lacks was gone after this moment. */
  polledAt: Date;
  /** Each id once; `raw` without private fields. */
  instances: readonly Instance[];
  /** Instances in the list that it does not identify. */
  unidentified: number;
}

/** Differences of a poll from the previous one. */
export interface PollChanges {
  /** New, changed or returned instances, as they are now. */
  changed: { instanceId: number; actualStatus: string | null; intendedStatus: string | null }[];
  /** Ids that the list no longer has. */
  gone: number[];
}

/** Columns that follow the newest list: name, SQL type and the instance's field. */
const columns: [name: string, sqlType: string, field: keyof Instance][] = [
  ['actual_status', 'text', 'actualStatus'],
  ['intended_status', 'text', 'intendedStatus'],
  ['current_state', 'text', 'currentState'],
  ['next_state', 'text', 'nextState'],
  ['status_message', 'text', 'statusMessage'],
  ['machine_id', 'int8', 'machineId'],
  ['host_id', 'int8', 'hostId'],
  ['gpu_name', 'text', 'gpuName'],
  ['num_gpus', 'int2', 'numGpus'],
  ['type', 'pricing_type', 'type'],
  ['label', 'text', 'label'],
  ['image', 'text', 'image'],
  ['template_id', 'int8', 'templateId'],
  ['started_at', 'timestamptz', 'startedAt'],
  ['ends_at', 'timestamptz', 'endsAt'],
  ['ssh_host', 'text', 'sshHost'],
  ['ssh_port', 'int4', 'sshPort'],
  ['public_ip', 'text', 'publicIp'],
  ['gpu_util_percent', 'float8', 'gpuUtilPercent'],
  ['disk_space_gb', 'float8', 'diskSpaceGb'],
  ['disk_used_gb', 'float8', 'diskUsedGb'],
  ['base_usd_per_hour', 'float8', 'baseUsdPerHour'],
  ['listed_usd_per_hour', 'float8', 'listedUsdPerHour'],
  ['storage_usd_per_gb_month', 'float8', 'storageUsdPerGbMonth'],
  ['min_bid_usd_per_hour', 'float8', 'minBidUsdPerHour'],
  ['inet_down_usd_per_gb', 'float8', 'inetDownUsdPerGb'],
  ['inet_up_usd_per_gb', 'float8', 'inetUpUsdPerGb'],
  ['raw', 'text', 'raw'],
];

/**
 * Stores a poll in instances, statuses and samples in one transaction, with the crawl that `crawlOf` makes of the
 * changes (null: none). Returns null, changing nothing, if a newer poll was stored before.
 */
export async function recordPoll(
  sql: Sql,
  poll: InstancePoll,
  { now, crawlOf }: { now: () => Date; crawlOf: (changes: PollChanges) => InstanceCrawl },
): Promise<PollChanges | null> {
  const { marketId, polledAt } = poll;
  return await sql.begin(async (tx) => {
    // One poll of a market at a time: each compares with the result of the previous one.
    await tx`select from market where id = ${marketId} for no key update`;
    const [newer] = await tx`
      select from instance_poll where market_id = ${marketId} and polled_at >= ${polledAt} limit 1`;
    if (newer !== undefined) return null;
    await enterSpend(tx, marketId);
    const seen = { ...poll, seenAt: now() };
    const changed = await addStatuses(tx, poll);
    await noteRates(tx, seen);
    await writeInstances(tx, poll);
    const gone = poll.unidentified === 0 ? await markGone(tx, poll) : [];
    await noteGone(tx, seen, gone);
    const listedIds = poll.instances.map(({ instanceId }) => instanceId);
    await noteInstanceFacts(tx, seen, listedIds);
    await addSamples(tx, poll);
    const changes = { changed, gone };
    await recordInstanceCrawl(tx, crawlOf(changes));
    await publishChanges(tx, poll, changes);
    return changes;
  });
}

const listed = (db: Db, poll: InstancePoll) => db`
  select * from jsonb_to_recordset(${JSON.stringify(poll.instances)}::text::jsonb) as r (
    "instanceId" bigint, "actualStatus" text, "intendedStatus" text,
    "gpuUtilPercent" float8, "diskUsedGb" float8)`;

async function addStatuses(db: Db, poll: InstancePoll): Promise<PollChanges['changed']> {
  const { marketId, polledAt } = poll;
  const rows = await db<PollChanges['changed']>`
    insert into instance_status (market_id, instance_id, observed_at, actual_status, intended_status)
    select ${marketId}, l."instanceId", ${polledAt}, l."actualStatus", l."intendedStatus"
    from (${listed(db, poll)}) l
    left join instance i on i.market_id = ${marketId} and i.instance_id = l."instanceId"
    where i.instance_id is null or i.gone_at is not null
      or (i.actual_status, i.intended_status) is distinct from (l."actualStatus", l."intendedStatus")
    returning instance_id as "instanceId", actual_status as "actualStatus", intended_status as "intendedStatus"`;
  return rows.map((row) => ({ ...row }));
}

async function writeInstances(db: Db, { marketId, polledAt, instances }: InstancePoll): Promise<void> {
  const names = columns.map(([name]) => name);
  const fields = columns.map(([, , field]) => field);
  const typed = columns.reduce(
    (list, [, sqlType, field]) => db`${list}, ${db(field)} ${db(sqlType)}`,
    db`"instanceId" bigint`,
  );
  await db`
    insert into instance (market_id, instance_id, first_seen_at, last_seen_at, ${columnList(db, names)})
    select ${marketId}, "instanceId", ${polledAt}, ${polledAt}, ${columnList(db, fields)}
    from jsonb_to_recordset(${JSON.stringify(instances)}::text::jsonb) as r (${typed})
    on conflict (market_id, instance_id) do update set last_seen_at = excluded.last_seen_at, gone_at = null,
      ${assignments(db, names, 'excluded')}`;
}

async function markGone(db: Db, { marketId, polledAt }: InstancePoll): Promise<number[]> {
  const rows = await db<{ instanceId: number }[]>`
    with gone as (
      update instance set gone_at = ${polledAt}
      where market_id = ${marketId} and gone_at is null and last_seen_at < ${polledAt} returning instance_id)
    insert into instance_status (market_id, instance_id, observed_at, gone)
    select ${marketId}, instance_id, ${polledAt}, true from gone
    returning instance_id as "instanceId"`;
  return rows.map(({ instanceId }) => instanceId);
}

async function addSamples(db: Db, poll: InstancePoll): Promise<void> {
  const { marketId, polledAt, instances, unidentified } = poll;
  await db`insert into instance_poll (market_id, polled_at, instances, unidentified)
    values (${marketId}, ${polledAt}, ${instances.length}, ${unidentified})`;
  await db`
    insert into instance_sample (market_id, instance_id, polled_at, gpu_util_percent, disk_used_gb)
    select ${marketId}, "instanceId", ${polledAt}, "gpuUtilPercent", "diskUsedGb"
    from (${listed(db, poll)}) l
    where coalesce("gpuUtilPercent", "diskUsedGb") is not null`;
}

async function publishChanges(
  db: Db,
  { marketId, polledAt }: InstancePoll,
  { changed, gone }: PollChanges,
): Promise<void> {
  const told = [
    ...changed.map((change) => ({ ...change, gone: false })),
    ...gone.map((instanceId) => ({ instanceId, gone: true })),
  ];
  for (const data of told) await publishEvent(db, { at: polledAt, marketId, kind: 'instance', data });
}

/**
 * Whether a poll should come soon: an instance is being provisioned at `now`, by the last poll, or a rental waits for a
 * list.
 */
export async function isAnyProvisioning(db: Db, marketId: number, now: Date): Promise<boolean> {
  const rows = await db<(Pick<Instance, 'actualStatus' | 'intendedStatus'> & { since: Date | null })[]>`
    select actual_status as "actualStatus", intended_status as "intendedStatus", (
      select max(observed_at) from instance_status s
      where s.market_id = i.market_id and s.instance_id = i.instance_id) as since
    from instance i where market_id = ${marketId} and gone_at is null`;
  const isOnItsWay = rows.some(({ since, ...state }) =>
    isProvisioning(state, since === null ? 0 : now.getTime() - since.getTime()),
  );
  return isOnItsWay || (await isRentalWaiting(db, marketId, now));
}
