import { Decimal } from 'decimal.js';
import type { DatabaseTarget } from '../../src/database/connection.ts';
import { connect } from '../../src/database/connection.ts';
import { extendLimit } from '../../src/rentals/instances/extend-limit.ts';
import { nameInstance } from '../../src/rentals/instances/name-instance.ts';
import { findPlan } from '../../src/rentals/instances/plans.sql.ts';
import { rent } from '../../src/rentals/rent/rent.ts';
import type { Proof } from '../proof.ts';
import { createRandom } from '../seeded-random.ts';
import { type EndsMarket, openEndsMarket } from './ends-market.ts';

/** Options of the proof of limits. */
export interface EndsProof {
  seed: number;
  server: DatabaseTarget;
  /** Instances that live until a limit ends them, half in each way of billing. */
  lives: number;
  /** The market states 0 where it does not know the GPU use, to show that the proof detects ends without use. */
  isControl?: boolean | undefined;
  /** The longest limit in hours, or in what they cost. @default 2.3 */
  hours?: number | undefined;
  onMinute?: (minute: number) => void;
}

type Kind = 'maxHours' | 'endsAt' | 'idleMinutes' | 'maxUsd';
const kinds: readonly Kind[] = ['idleMinutes', 'maxUsd', 'maxHours', 'endsAt'];
const billings = ['second', 'hour'] as const;
const idlePercent = 5;
const minuteMs = 60_000;
const maxGapMinutes = 6;
const defaultHours = 2.3;
/** Instances beside the others whose GPU use is never known. */
const unknownShare = 0.15;

/** From this minute on the GPUs of every instance idle, unless its use is never known. */
const calmMinute = ({ hours = defaultHours }: EndsProof): number => Math.ceil(hours * 60);

/** One instance, and the limit as the proof keeps it. */
interface Life {
  kind: Kind;
  instanceId: number;
  createdMs: number;
  /** Hours, minutes or dollars; of a moment its milliseconds. */
  limit: number;
  /** Idle minutes count since then. */
  countsFromMs: number;
  /** What polls saw, oldest first. */
  seen: { atMs: number; use: number | null }[];
  use: (minute: number) => number | null;
  isNeverKnown: boolean;
  extends: boolean;
  warned: boolean;
  /** The first round at which the limit was reached; null: not yet. */
  reachedMs: number | null;
}

/**
 * Instances with limits of every kind, in both ways of billing, live by a clock that goes by minutes: polls fail, GPU
 * use is busy, idle or unknown, some ends are put off once. The simulator's charges and its record of each instance are
 * the truth of when a limit was reached and when the instance ended.
 */
export async function proveEnds(options: EndsProof): Promise<Proof> {
  const { seed, server, lives } = options;
  const random = createRandom(seed);
  const sql = connect(server, { max: 6 });
  const failures: string[] = [];
  const counts: Record<string, number> = {
    ...{ 'life cycles': 0, 'ended within a poll of their limit': 0, 'ended before it': 0, 'ended late': 0 },
    ...{ 'ended by idle minutes': 0, 'ended by dollars': 0, 'ended by time': 0 },
    ...{ 'warned before': 0, 'put off': 0, 'instances of unknown use': 0, 'of them running at the end': 0 },
    ...{ polls: 0, 'polls that failed': 0, 'uses that were not known': 0, 'ways of billing': 0 },
  };
  const add = (name: string, count = 1): void => {
    counts[name] = (counts[name] ?? 0) + count;
  };
  try {
    for (const [index, billing] of billings.entries()) {
      const size = index === 0 ? Math.ceil(lives / 2) : Math.floor(lives / 2);
      const name = `ends-${process.pid}-${seed}-${billing}`;
      const market = await openEndsMarket(sql, { name, seed: seed + index, billing, offers: size * 6 });
      try {
        await play(market, { size, random, add, failures, options });
        add('ways of billing');
      } finally {
        await market.close();
      }
    }
  } finally {
    await sql.end({ timeout: 5 });
  }
  return { ok: failures.length === 0, counts, failures };
}

interface Play {
  size: number;
  random: () => number;
  add: (name: string, count?: number) => void;
  failures: string[];
  options: EndsProof;
}

async function play(market: EndsMarket, of: Play): Promise<void> {
  const { add, random, options } = of;
  const lives = await begin(market, of);
  const byId = new Map(lives.map((life) => [life.instanceId, life]));
  let minute = 0;
  market.useOf = (instanceId) => {
    const use = byId.get(instanceId)?.use(minute) ?? null;
    return options.isControl === true ? (use ?? 0) : use;
  };
  const outageAt = 15 + Math.floor(random() * calmMinute(options) * 0.3);
  // Time for the longest limit, an extension of an hour and the longest idle time.
  const maxMinutes = calmMinute(options) + 240;
  while (minute < maxMinutes && lives.some((life) => !life.isNeverKnown && endOf(market, life) === null)) {
    minute += 1;
    const isDown = random() < 0.03 || (minute >= outageAt && minute < outageAt + 8);
    const alive = lives.filter((life) => endOf(market, life) === null);
    await market.round({ isDown });
    add(isDown ? 'polls that failed' : 'polls');
    for (const life of alive) {
      if (!isDown) observe(market, life, minute, add);
      life.reachedMs ??= isReached(market, life) ? market.nowMs() : null;
      if (life.reachedMs === null) await react(market, life, add);
    }
    options.onMinute?.(minute);
  }
  for (const life of lives) judge(market, life, of);
}

/** Rents the instances, half of them with their limit, which the others get a little later. */
async function begin(market: EndsMarket, play: Play): Promise<Life[]> {
  const { size, random, add, failures } = play;
  const lives: Life[] = [];
  const unknown = Math.ceil(size * unknownShare);
  for (let index = 0; index < size + unknown; index += 1) {
    const isNeverKnown = index >= size;
    const kind = isNeverKnown ? 'idleMinutes' : (kinds[index % kinds.length] ?? 'maxHours');
    const request = market.request(index);
    const endAction = random() < 0.5 ? ('stop' as const) : ('destroy' as const);
    const hours = 0.3 + random() * ((play.options.hours ?? defaultHours) - 0.3);
    const nowMs = market.nowMs();
    const { usdPerHour } = request;
    const dollars = Number((usdPerHour * hours).toFixed(4));
    const limit = {
      maxHours: hours,
      endsAt: nowMs + Math.round(hours * 3_600) * 1_000,
      idleMinutes: 5 + Math.floor(random() * 40),
      maxUsd: Math.max(0.0001, dollars),
    }[kind];
    const field = kind === 'endsAt' ? new Date(limit).toISOString() : limit;
    const ends = { [kind]: field, endAction, warnMinutes: 15 };
    const isLater = random() < 0.5;
    const options = { key: `life-${index}`, by: 'proof' };
    const { usdPerHour: _, ...body } = request;
    const { rental } = await rent(market.actor, { ...body, ...(isLater ? {} : ends) }, options);
    if (rental.instanceId === null) {
      failures.push(`life ${index} was not rented`);
      continue;
    }
    if (isLater) await nameInstance(market.actor, rental.instanceId, ends, { by: 'proof' });
    lives.push({
      ...{ kind, limit, isNeverKnown, instanceId: rental.instanceId },
      ...{ createdMs: nowMs, countsFromMs: nowMs, seen: [] },
      ...{
        use: isNeverKnown ? () => null : drawUse(random, calmMinute(play.options)),
        extends: random() < 0.3,
        warned: false,
      },
      reachedMs: null,
    });
    add(isNeverKnown ? 'instances of unknown use' : 'life cycles');
  }
  return lives;
}

/** Returns a use by minute: stretches that are busy, idle or not known. */
function drawUse(random: () => number, calm: number): (minute: number) => number | null {
  const drawn: (number | null)[] = [];
  while (drawn.length < calm) {
    const kind = random();
    const length = 1 + Math.floor(random() * (kind < 0.15 ? 2 : 30));
    for (let minute = 0; minute < length; minute += 1) {
      drawn.push(kind < 0.15 ? null : kind < 0.4 ? 5 + Math.floor(random() * 90) : Math.floor(random() * 5));
    }
  }
  return (minute) => drawn[minute] ?? (minute < drawn.length ? null : 2);
}

/** The moment at which the simulator stopped or destroyed an instance, ms; null: neither. */
function endOf({ simulator }: EndsMarket, { instanceId }: Life): number | null {
  const instance = simulator.instances().find(({ id }) => id === instanceId);
  const ended = instance?.steps.find(({ phase }) => phase === 'stopped' || phase === 'destroyed');
  return ended === undefined ? null : ended.fromS * 1_000;
}

function observe(market: EndsMarket, life: Life, minute: number, add: Play['add']): void {
  const phase = market.phaseBefore(life.instanceId);
  const use = phase === 'running' ? life.use(minute) : null;
  if (use === null) add('uses that were not known');
  life.seen.push({ atMs: market.nowMs(), use });
}

function isReached(market: EndsMarket, life: Life): boolean {
  const { kind, limit, createdMs } = life;
  if (kind === 'maxHours') return market.nowMs() >= createdMs + limit * 3_600_000;
  if (kind === 'endsAt') return market.nowMs() >= limit;
  if (kind === 'maxUsd') return chargedUsd(market, life).gte(limit);
  return idleMs(life, market.nowMs()) >= limit * minuteMs;
}

/** What the simulator has charged for an instance. */
function chargedUsd({ chargesBefore }: EndsMarket, { instanceId }: Life): Decimal {
  return chargesBefore()
    .filter(({ source }) => source === `instance-${instanceId}`)
    .reduce((sum, { amountUsd }) => sum.plus(amountUsd), new Decimal(0));
}

/** For how long polls in a row, up to now, have seen its GPUs idle. */
function idleMs({ seen, countsFromMs }: Life, nowMs: number): number {
  let from: number | null = null;
  for (const { atMs, use } of seen.toReversed()) {
    const isNear = (from ?? nowMs) - atMs <= maxGapMinutes * minuteMs;
    if (use === null || use >= idlePercent || atMs <= countsFromMs || !isNear) break;
    from = atMs;
  }
  const last = seen.at(-1)?.atMs ?? nowMs;
  return from === null ? 0 : last - from;
}

/** Notes a warning, and puts the end off once where that was drawn. */
async function react(market: EndsMarket, life: Life, add: Play['add']): Promise<void> {
  const { actor } = market;
  const plan = await findPlan(actor.sql, actor.market.id, life.instanceId);
  if (plan?.ending == null) return;
  life.warned = true;
  if (!life.extends) return;
  life.extends = false;
  await extendLimit(actor, life.instanceId, { by: 'proof' });
  add('put off');
  life.countsFromMs = market.nowMs();
  if (life.kind === 'maxHours') life.limit += 1;
  if (life.kind === 'endsAt') life.limit += 3_600_000;
  if (life.kind !== 'maxUsd') return;
  const extended = await findPlan(actor.sql, actor.market.id, life.instanceId);
  life.limit = Number(extended?.maxUsd);
}

function judge(market: EndsMarket, life: Life, { add, failures }: Play): void {
  const { kind, instanceId, reachedMs, isNeverKnown } = life;
  const name = `instance ${instanceId} of ${market.actor.market.name}, ${kind} ${life.limit}`;
  const endedMs = endOf(market, life);
  if (life.warned) add('warned before');
  if (isNeverKnown) {
    add(endedMs === null ? 'of them running at the end' : 'ended before it');
    if (endedMs !== null) failures.push(`${name}: ended although no poll knew its use`);
    return;
  }
  if (endedMs === null || reachedMs === null) {
    add(endedMs === null ? 'ended late' : 'ended before it');
    const what = endedMs === null ? 'never ended' : 'ended though its limit was not reached';
    failures.push(`${name}: ${what}`);
    return;
  }
  const lateMs = endedMs - reachedMs;
  if (lateMs < 0 || lateMs > minuteMs) {
    failures.push(`${name}: ended ${lateMs / 1_000} s after the poll that reached its limit`);
    add(lateMs < 0 ? 'ended before it' : 'ended late');
    return;
  }
  add('ended within a poll of their limit');
  add(`ended by ${byWhat[kind]}`);
}

const byWhat = { idleMinutes: 'idle minutes', maxUsd: 'dollars', maxHours: 'time', endsAt: 'time' };
