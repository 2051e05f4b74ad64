import type { Db } from '../../database/connection.ts';
import type { Instance } from '../../market/instance.ts';
import { isComputing } from '../../market/instance-status.ts';
import { storageUsdPerHour } from '../account-count.ts';
import type { RateStep } from './rental-cost.ts';

interface Known {
  instanceId: number;
  lastSeenAt: Date;
  /** What a person or a limit requested, and when the market accepted it. */
  wanted: string | null;
  acceptedAt: Date | null;
  /** When Offerbook sent its create; null: rented elsewhere. */
  sentAt: Date | null;
  step: RateStep | null;
}

type Row = Omit<Known, 'step'> & {
  fromAt: Date | null;
  computing: boolean | null;
  gone: boolean | null;
  baseUsdPerHour: string | null;
  storageUsdPerHour: string | null;
};

/** A list before it is stored; some of its `instances` may be new. */
interface RatedPoll {
  marketId: number;
  polledAt: Date;
  /** When it is stored: its changes are known from then on. */
  seenAt: Date;
  instances: readonly Instance[];
}

const minuteMs = 60_000;

/**
 * Records what each instance of a list is billed for, if that has changed. A requested change is dated to the market's
 * answer, any other to the middle between two lists or by the stated uptime. Must be called before the list is stored.
 * Source: docs/decisions/0017-estimated-cost.md.
 */
export async function noteRates(db: Db, poll: RatedPoll): Promise<void> {
  const ids = poll.instances.map(({ instanceId }) => instanceId);
  const known = new Map((await readKnown(db, poll.marketId, ids)).map((one) => [one.instanceId, one]));
  for (const instance of poll.instances) {
    const before = known.get(instance.instanceId) ?? null;
    for (const step of newSteps(instance, before, poll.polledAt)) {
      await addStep(db, poll, instance.instanceId, step);
    }
  }
}

/** Records that instances are gone, by the list that lacks them. */
export async function noteGone(
  db: Db,
  poll: Omit<RatedPoll, 'instances'>,
  instanceIds: readonly number[],
): Promise<void> {
  const { polledAt } = poll;
  for (const before of await readKnown(db, poll.marketId, instanceIds)) {
    if (before.step === null || before.step.gone) continue;
    const asked = before.wanted === 'destroyed' ? before.acceptedAt : null;
    const fromAt =
      asked === null ? betweenLists(before, before.step, polledAt) : asAsked(before.step, polledAt, asked);
    await addStep(db, poll, before.instanceId, { ...before.step, computing: false, gone: true, fromAt });
  }
}

/** Records a new base rate from a moment on, as after an accepted bid. */
export async function noteBaseRate(
  db: Db,
  marketId: number,
  instanceId: number,
  { baseUsdPerHour, at }: { baseUsdPerHour: string; at: Date },
): Promise<void> {
  const [before] = await readKnown(db, marketId, [instanceId]);
  const step = before?.step ?? null;
  if (step === null || step.gone || step.fromAt >= at) return;
  await addStep(db, { marketId, seenAt: at }, instanceId, { ...step, baseUsdPerHour, fromAt: at });
}

/** Returns the steps of an instance, oldest first. */
export const listRateSteps = async (db: Db, marketId: number, instanceId: number): Promise<RateStep[]> =>
  (await listRateStepsOf(db, marketId, [instanceId])).get(instanceId) ?? [];

/** Returns the steps of several instances, oldest first; an instance without any is missing. */
export async function listRateStepsOf(
  db: Db,
  marketId: number,
  instanceIds: readonly number[],
): Promise<Map<number, RateStep[]>> {
  const rows = await db<(RateStep & { instanceId: number })[]>`
    select instance_id as "instanceId", from_at as "fromAt", computing, gone,
      base_usd_per_hour as "baseUsdPerHour", storage_usd_per_hour as "storageUsdPerHour"
    from instance_rate where market_id = ${marketId} and instance_id = any(${[...instanceIds]}::bigint[])
    order by from_at, seen_at`;
  return rows.reduce((steps, { instanceId, ...step }) => {
    steps.set(instanceId, [...(steps.get(instanceId) ?? []), step]);
    return steps;
  }, new Map<number, RateStep[]>());
}

async function readKnown(db: Db, marketId: number, ids: readonly number[]): Promise<Known[]> {
  const rows = await db<Row[]>`
    select ids.id as "instanceId", i.last_seen_at as "lastSeenAt", p.wanted, p.accepted_at as "acceptedAt",
      r.sent_at as "sentAt", s.from_at as "fromAt", s.computing, s.gone,
      s.base_usd_per_hour as "baseUsdPerHour", s.storage_usd_per_hour as "storageUsdPerHour"
    from unnest(${[...ids]}::bigint[]) as ids(id)
    left join instance i on i.market_id = ${marketId} and i.instance_id = ids.id
    left join instance_plan p on p.market_id = ${marketId} and p.instance_id = ids.id
    left join rental r on r.market_id = ${marketId} and r.instance_id = ids.id
    left join lateral (
      select * from instance_rate t where t.market_id = ${marketId} and t.instance_id = ids.id
      order by t.from_at desc, t.seen_at desc limit 1) s on true`;
  return rows.map(({ fromAt, computing, gone, baseUsdPerHour, storageUsdPerHour: storage, ...row }) => ({
    ...row,
    step:
      fromAt === null
        ? null
        : {
            fromAt,
            computing: computing === true,
            gone: gone === true,
            baseUsdPerHour,
            storageUsdPerHour: storage,
          },
  }));
}

const text = (value: number | null): string | null => (value === null ? null : String(value));

function newSteps(instance: Instance, before: Known | null, polledAt: Date): RateStep[] {
  const { baseUsdPerHour, storageUsdPerGbMonth, diskSpaceGb } = instance;
  const now = {
    computing: isComputing(instance),
    gone: false,
    baseUsdPerHour: text(baseUsdPerHour),
    storageUsdPerHour: storageUsdPerHour(storageUsdPerGbMonth, diskSpaceGb)?.toString() ?? null,
  };
  const last = before?.step ?? null;
  if (before === null || last === null) return firstSteps(instance, before?.sentAt ?? null, now, polledAt);
  const isSame =
    last.computing === now.computing &&
    !last.gone &&
    last.baseUsdPerHour === now.baseUsdPerHour &&
    last.storageUsdPerHour === now.storageUsdPerHour;
  if (isSame) return [];
  // A list that lags behind an accepted stop still shows the state before the stop.
  const isStale = before.acceptedAt !== null && before.acceptedAt > polledAt;
  if (isStale) return [];
  const isAsked = before.wanted === 'stopped' && last.computing && !now.computing;
  // An acceptance from before the instance last ran belongs to an earlier stop.
  const asked =
    isAsked && before.acceptedAt !== null && before.acceptedAt > last.fromAt ? before.acceptedAt : null;
  const ran = !last.computing && now.computing ? ranFrom(instance, polledAt) : null;
  const fromAt = asked === null ? betweenLists(before, last, polledAt, ran) : asAsked(last, polledAt, asked);
  return [{ ...now, fromAt }];
}

function firstSteps(
  instance: Instance,
  sentAt: Date | null,
  now: Omit<RateStep, 'fromAt'>,
  polledAt: Date,
): RateStep[] {
  const started = instance.startedAt ?? sentAt ?? polledAt;
  const fromAt = started > polledAt ? polledAt : started;
  if (!now.computing) return [{ ...now, fromAt }];
  const stated = ranFrom(instance, polledAt);
  const ran =
    stated === null ? middle(fromAt, polledAt, 10 * minuteMs) : within(stated, fromAt.getTime(), polledAt);
  if (ran <= fromAt) return [{ ...now, fromAt }];
  return [
    { ...now, computing: false, fromAt },
    { ...now, fromAt: ran },
  ];
}

/** The middle of a short interval; of a long one its beginning. */
function middle(from: Date, to: Date, maxMs: number): Date {
  const ms = to.getTime() - from.getTime();
  return ms > maxMs ? from : new Date(from.getTime() + ms / 2);
}

/** The minute of an event, in milliseconds. */
interface Minute {
  fromMs: number;
  toMs: number;
}

/** The minute in which it began to run, by the uptime that the market states in whole minutes; null: not stated. */
function ranFrom({ uptimeMinutes }: Instance, polledAt: Date): Minute | null {
  if (uptimeMinutes === null) return null;
  const toMs = polledAt.getTime() - uptimeMinutes * minuteMs;
  return { fromMs: toMs - minuteMs, toMs };
}

/** The middle of the overlap of that minute and the time between two lists. */
function within({ fromMs, toMs }: Minute, earliestMs: number, polledAt: Date): Date {
  const from = Math.max(fromMs, earliestMs);
  const to = Math.min(toMs, polledAt.getTime());
  // Without an overlap the market counts differently: the lists decide.
  return clamp(new Date((from + to) / 2), earliestMs + 1, polledAt);
}

/** When the market accepted a change that a list now shows. */
const asAsked = (last: RateStep, polledAt: Date, acceptedAt: Date): Date =>
  clamp(acceptedAt, last.fromAt.getTime() + 1, polledAt);

/** When a change between two lists happened: in the stated minute, else in the middle. */
function betweenLists(before: Known, last: RateStep, polledAt: Date, stated: Minute | null = null): Date {
  const earliest = Math.max(last.fromAt.getTime(), (before.lastSeenAt ?? last.fromAt).getTime());
  if (stated !== null) return within(stated, earliest, polledAt);
  return clamp(new Date((earliest + polledAt.getTime()) / 2), earliest + 1, polledAt);
}

const clamp = (at: Date, earliestMs: number, latest: Date): Date =>
  new Date(Math.min(Math.max(at.getTime(), earliestMs), latest.getTime()));

/** Of steps at the same moment the one that became known last counts; earlier knowledge stays stored. */
async function addStep(
  db: Db,
  { marketId, seenAt }: Pick<RatedPoll, 'marketId' | 'seenAt'>,
  instanceId: number,
  step: RateStep,
): Promise<void> {
  await db`
    insert into instance_rate (market_id, instance_id, from_at, computing, gone, base_usd_per_hour,
      storage_usd_per_hour, seen_at)
    values (${marketId}, ${instanceId}, ${step.fromAt}, ${step.computing}, ${step.gone}, ${step.baseUsdPerHour},
      ${step.storageUsdPerHour}, ${seenAt})
    on conflict (market_id, instance_id, from_at, seen_at) do update set computing = excluded.computing,
      gone = excluded.gone, base_usd_per_hour = excluded.base_usd_per_hour,
      storage_usd_per_hour = excluded.storage_usd_per_hour`;
}
