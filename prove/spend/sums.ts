import { TZDate } from '@date-fns/tz';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import type { Sql } from '../../src/database/connection.ts';
import { spendGroupings } from '../../src/spend/spend-grouping.ts';
import { sumSpend, totalSpend } from '../../src/spend/sums.sql.ts';
import type { Proof, ProofOptions } from '../proof.ts';
import { openProofDatabases } from '../proof-databases.ts';
import { createRandom } from '../seeded-random.ts';

interface SumsOptions extends Omit<ProofOptions, 'bookFiles'> {
  /** Invoices and items of charges. @default 100000 */
  entries?: number | undefined;
}

/** A randomly drawn bill: times in ms, the amount in units of 10^-18 dollars. */
interface Bill {
  kind: 'invoice' | 'charge';
  startMs: number;
  endMs: number | null;
  units: bigint;
  type: string;
  service: string | null;
  label: string | null;
  instanceId: number | null;
}

const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns'];
const fromMs = Date.parse('2025-12-31T00:00:00Z');
const toMs = Date.parse('2026-12-31T00:00:00Z');
const asOf = new Date('2026-12-01T00:00:00Z');
const perPart = 1_000_000n;
const unit = 10n ** 18n;

/**
 * Random bills: negative amounts, thirds of a cent, unknown ends, spans over midnight, month ends and daylight saving
 * changes. Every grouping in every time zone adds up to the sum of the amounts, and the sums of days equal those computed
 * independently of the database, to the last of twelve decimals.
 */
export async function proveSums(options: SumsOptions): Promise<Proof> {
  const { entries = options.runs ?? 100_000, seed, log } = options;
  const databases = await openProofDatabases(options.server, log);
  try {
    const { sql, drop } = await databases.create();
    const { id: marketId } = await ensureMarket(sql, 'summed', 'live');
    const bills = drawBills(entries, createRandom(seed));
    await storeBills(sql, marketId, bills);
    await sql`analyze billing_entry`;
    await sql`analyze billing_version`;
    const [stored] = await sql<{ entries: number; negative: number; open: number }[]>`
      select count(*) as entries, count(*) filter (where v.amount_usd < 0) as negative,
        count(*) filter (where v.end_at is null) as open
      from billing_entry e join billing_version v on v.entry_id = e.id`;
    const failures: string[] = [];
    let compared = 0;
    for (const timeZone of zones) {
      const scope = { marketId, timeZone, asOf, from: new Date(fromMs), to: new Date(toMs) };
      const total = totalsOf(await totalSpend(sql, scope));
      const truth = { consumption: sumOf(bills, 'charge'), other: sumOf(bills, 'invoice') };
      compareTotals(failures, `${timeZone} in all`, total, truth);
      for (const groupBy of spendGroupings) {
        const sums = totalsOf(await sumSpend(sql, scope, groupBy, null));
        compareTotals(failures, `${timeZone} by ${groupBy}`, sums, truth);
        compared += 1;
      }
      const days = await sumSpend(sql, scope, 'day', null);
      const expected = daysOf(bills, timeZone);
      for (const { key, category, amountUsd } of days) {
        const name = `${key} ${category === 'consumption' ? 'charge' : 'invoice'}`;
        expected.set(name, (expected.get(name) ?? 0n) - unitsOf(amountUsd));
      }
      const wrong = [...expected].filter(([, units]) => units !== 0n);
      if (wrong.length > 0) failures.push(`${timeZone}: ${wrong.length} days differ, first ${wrong[0]?.[0]}`);
      compared += expected.size;
      log.info({ timeZone, days: expected.size }, 'sums compared');
    }
    await drop();
    const counts = {
      'entries stored': stored?.entries ?? 0,
      'of them negative': stored?.negative ?? 0,
      'of them without an end': stored?.open ?? 0,
      'groupings and days compared': compared,
    };
    if ((stored?.entries ?? 0) < entries) failures.push('fewer entries are stored than were drawn');
    return { ok: failures.length === 0, failures, counts };
  } finally {
    await databases.close();
  }
}

function drawBills(count: number, random: () => number): Bill[] {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const hour = 3_600_000;
  // Around these moments, spans cross month ends and daylight saving changes.
  const anchors = [
    '2026-03-29',
    '2026-10-25',
    '2026-03-08',
    '2026-11-01',
    '2026-01-31',
    '2026-06-30',
    '2026-02-28',
  ];
  return Array.from({ length: count }, () => {
    const around = Date.parse(`${pick(anchors)}T00:00:00Z`) + Math.floor((random() - 0.5) * 60 * hour);
    const startMs = random() < 0.5 ? around : fromMs + 86_400_000 + Math.floor(random() * 330 * 24 * hour);
    const lengthMs = pick([0, 1, 1_000, 7 * hour, 24 * hour, 24 * hour, 49 * hour, 700 * hour]);
    const units = pick([
      BigInt(Math.floor(random() * 1e9)) * 10n ** 12n,
      (unit * BigInt(1 + Math.floor(random() * 30))) / 300n,
      (-unit * BigInt(1 + Math.floor(random() * 500))) / 7n,
    ]);
    const isCharge = random() < 0.8;
    return {
      ...{ kind: isCharge ? ('charge' as const) : ('invoice' as const), startMs, units },
      endMs: random() < 0.02 ? null : Math.min(startMs + lengthMs, asOf.getTime()),
      type: isCharge ? 'instance' : pick(['credit', 'transfer', 'refund', 'payout', 'reserved']),
      service: pick([null, 'gpu', 'disk']),
      label: pick([null, 'a', "b ' ü"]),
      instanceId: isCharge ? 1 + Math.floor(random() * 40) : null,
    };
  });
}

async function storeBills(sql: Sql, marketId: number, bills: readonly Bill[]): Promise<void> {
  const seen = new Date('2026-11-30T00:00:00Z');
  for (let from = 0; from < bills.length; from += 10_000) {
    const rows = bills.slice(from, from + 10_000).map((bill, index) => ({
      ...{ ...bill, units: undefined, amount: textOf(bill.units), identity: String(from + index) },
      start: new Date(bill.startMs).toISOString(),
      end: bill.endMs === null ? null : new Date(bill.endMs).toISOString(),
    }));
    await sql`
      with given as (
        select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (kind text, identity text,
          start timestamptz, "end" timestamptz, type text, service text, label text, "instanceId" bigint, amount numeric)),
      made as (
        insert into billing_entry (market_id, kind, identity, ordinal, start_at, first_seen_at, last_seen_at)
        select ${marketId}, kind, identity, 1, start, ${seen}, ${seen} from given returning id, identity)
      insert into billing_version (entry_id, seen_from, seen_to, content_hash, start_at, end_at, type, service, item_type,
        label, instance_id, amount_usd, raw)
      select made.id, ${seen}, 'infinity', 'x', start, "end", type, service, service, label, "instanceId", amount, '{}'
      from given join made using (identity)`;
  }
}

/** Sums by day and kind, with whole numbers. Source: docs/meaning.md#spend. */
function daysOf(bills: readonly Bill[], timeZone: string): Map<string, bigint> {
  const days = new Map<string, bigint>();
  const add = (day: string, kind: string, units: bigint): void => {
    const name = `${day} ${kind}`;
    days.set(name, (days.get(name) ?? 0n) + units);
  };
  const edges = midnights(timeZone);
  for (const { kind, startMs, endMs, units } of bills) {
    const untilMs = kind === 'invoice' ? startMs : (endMs ?? asOf.getTime());
    let place = placeOf(edges, startMs);
    if (untilMs <= startMs) {
      add(edges[place]?.day ?? '', kind, units);
      continue;
    }
    let rest = units;
    for (let at = startMs; ; place += 1) {
      const next = edges[place + 1]?.at ?? Number.POSITIVE_INFINITY;
      if (next >= untilMs) {
        add(edges[place]?.day ?? '', kind, rest);
        break;
      }
      const part = roundAway(units * BigInt(next - at), BigInt(untilMs - startMs) * perPart) * perPart;
      add(edges[place]?.day ?? '', kind, part);
      rest -= part;
      at = next;
    }
  }
  return days;
}

function midnights(timeZone: string): { at: number; day: string }[] {
  return Array.from({ length: 372 }, (_, index) => {
    const local = new TZDate(2025, 11, 28 + index, 0, 0, 0, timeZone);
    const two = (number: number): string => String(number).padStart(2, '0');
    return {
      at: local.getTime(),
      day: `${local.getFullYear()}-${two(local.getMonth() + 1)}-${two(local.getDate())}`,
    };
  });
}

function placeOf(edges: readonly { at: number }[], ms: number): number {
  let place = Math.max(0, Math.floor((ms - (edges[0]?.at ?? 0)) / 86_400_000) - 1);
  while ((edges[place + 1]?.at ?? Number.POSITIVE_INFINITY) <= ms) place += 1;
  return place;
}

/** Half away from zero. */
function roundAway(numerator: bigint, denominator: bigint): bigint {
  const isNegative = numerator < 0n;
  const rounded = ((isNegative ? -numerator : numerator) * 2n + denominator) / (denominator * 2n);
  return isNegative ? -rounded : rounded;
}

const sumOf = (bills: readonly Bill[], kind: Bill['kind']): bigint =>
  bills.filter((bill) => bill.kind === kind).reduce((sum, { units }) => sum + units, 0n);

function totalsOf(sums: readonly { category: string; amountUsd: string }[]) {
  const of = (used: boolean): bigint =>
    sums
      .filter(({ category }) => (category === 'consumption') === used)
      .reduce((sum, { amountUsd }) => sum + unitsOf(amountUsd), 0n);
  return { consumption: of(true), other: of(false) };
}

function compareTotals(
  failures: string[],
  name: string,
  found: { consumption: bigint; other: bigint },
  truth: { consumption: bigint; other: bigint },
): void {
  for (const kind of ['consumption', 'other'] as const) {
    if (found[kind] !== truth[kind]) {
      failures.push(`${name}: ${kind} is ${textOf(found[kind])}, not ${textOf(truth[kind])}`);
    }
  }
}

function unitsOf(text: string): bigint {
  const [whole = '0', decimals = ''] = text.replace('-', '').split('.');
  const units = BigInt(`${whole}${decimals.padEnd(18, '0')}`);
  return text.startsWith('-') ? -units : units;
}

function textOf(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(19, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -18)}.${digits.slice(-18)}`;
}
