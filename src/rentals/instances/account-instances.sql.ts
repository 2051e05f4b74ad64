import type { Db } from '../../database/connection.ts';
import type { Instance } from '../../market/instance.ts';
import { runningStatus } from '../../market/instance-status.ts';

/** Fields of an instance that are not read back. */
type Unread =
  | 'currentState'
  | 'nextState'
  | 'publicIp'
  | 'templateId'
  | 'uptimeMinutes'
  | 'listedUsdPerHour'
  | 'inetDownUsdPerGb'
  | 'inetUpUsdPerGb';

/** An instance in the polls. */
export interface AccountInstance extends Omit<Instance, Unread> {
  firstSeenAt: Date;
  lastSeenAt: Date;
  /** The first successful list without it; null: it is listed. */
  goneAt: Date | null;
  /** Whether any poll ever saw it running. */
  everRunning: boolean;
  /** When its current status began. */
  statusSince: Date | null;
}

/** The newest stored list of a market's instances. */
export interface NewestPoll {
  polledAt: Date;
  /** Instances that it counts without identifying them. */
  unidentified: number;
}

const columns = (db: Db) => db`
  i.instance_id as "instanceId", i.first_seen_at as "firstSeenAt", i.last_seen_at as "lastSeenAt",
  i.gone_at as "goneAt", i.actual_status as "actualStatus", i.intended_status as "intendedStatus",
  i.status_message as "statusMessage", i.machine_id as "machineId", i.host_id as "hostId",
  i.gpu_name as "gpuName", i.num_gpus as "numGpus", i.type, i.label, i.image, i.started_at as "startedAt",
  i.ends_at as "endsAt", i.ssh_host as "sshHost", i.ssh_port as "sshPort",
  i.gpu_util_percent as "gpuUtilPercent", i.disk_space_gb as "diskSpaceGb", i.disk_used_gb as "diskUsedGb",
  i.base_usd_per_hour as "baseUsdPerHour", i.storage_usd_per_gb_month as "storageUsdPerGbMonth",
  i.min_bid_usd_per_hour as "minBidUsdPerHour",
  i.raw,
  exists (select from instance_status s where s.market_id = i.market_id and s.instance_id = i.instance_id
    and s.actual_status = ${runningStatus}) as "everRunning",
  (select max(s.observed_at) from instance_status s
    where s.market_id = i.market_id and s.instance_id = i.instance_id) as "statusSince"`;

/** Returns the account's instances by id; gone ones only with `gone`. */
export async function listAccountInstances(
  db: Db,
  marketId: number,
  { gone = false }: { gone?: boolean } = {},
): Promise<AccountInstance[]> {
  return await db<AccountInstance[]>`
    select ${columns(db)} from instance i
    where i.market_id = ${marketId} and ${gone ? db`true` : db`i.gone_at is null`} order by i.instance_id`;
}

/** Returns those of these instances that any poll has had, listed or gone. */
export async function findAccountInstances(
  db: Db,
  marketId: number,
  instanceIds: readonly number[],
): Promise<AccountInstance[]> {
  return await db<AccountInstance[]>`
    select ${columns(db)} from instance i
    where i.market_id = ${marketId} and i.instance_id = any(${[...instanceIds]}::bigint[])`;
}

/** Returns one instance, listed or gone; null: no poll ever had it. */
export const findAccountInstance = async (
  db: Db,
  marketId: number,
  instanceId: number,
): Promise<AccountInstance | null> => (await findAccountInstances(db, marketId, [instanceId]))[0] ?? null;

/** null: the instances were never listed. */
export async function newestPoll(db: Db, marketId: number): Promise<NewestPoll | null> {
  const [row] = await db<NewestPoll[]>`
    select polled_at as "polledAt", unidentified from instance_poll
    where market_id = ${marketId} order by polled_at desc limit 1`;
  return row ?? null;
}

/** Returns when the first list after a moment was made; null: none yet. */
export async function firstPollFrom(db: Db, marketId: number, at: Date): Promise<Date | null> {
  const [row] = await db<{ polledAt: Date | null }[]>`
    select min(polled_at) as "polledAt" from instance_poll where market_id = ${marketId} and polled_at >= ${at}`;
  return row?.polledAt ?? null;
}
