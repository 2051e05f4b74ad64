import { countOf } from '../core/count-of.ts';
import { orNoSuch } from '../core/http/problem.ts';
import type { Sql } from '../database/connection.ts';
import { isComputing, isStopped } from '../market/instance-status.ts';
import { leftOutWords, momentWords } from '../prices/explain/explained-figures.ts';
import type { ExplainedFigures } from '../prices/explain/explanation-schema.ts';
import type { AccountInstance } from '../rentals/instances/account-instances.sql.ts';
import {
  type LedgerInstance,
  ledgerUsdPerHour,
  readInstance,
  readLedger,
} from '../rentals/instances/ledger.ts';
import { explainSpend, presentEntry } from './explain-spend.ts';
import type { SpendScope } from './spend-grouping.ts';

const hoursPerMonth = 720;
/** Charges may begin before a list first contains the instance. */
const marginMs = 2 * 86_400_000;

/** Explains what an instance has cost, charged and estimated, entry by entry, and its current hourly cost. */
export async function explainInstance(
  sql: Sql,
  { marketId, asOf }: Pick<SpendScope, 'marketId' | 'asOf'>,
  instanceId: number,
): Promise<ExplainedFigures> {
  const shown = orNoSuch(await readInstance(sql, marketId, instanceId, asOf), 'instance');
  const scope = { marketId, from: beginOf(shown, asOf), to: asOf, timeZone: 'UTC', asOf };
  const { taken, rejected, recomputed } = await explainSpend(sql, scope, {
    groups: [{ by: 'instance', key: String(instanceId) }],
    category: 'consumption',
    basis: null,
  });
  const { usdPerHour, billedUsdPerHour, cost } = shown;
  return {
    text: [
      `${countOf(taken.length, 'entry', 'entries')} up to ${momentWords(asOf)}: what is charged, and an estimate of the time since. ${leftOutWords(rejected)}`,
      'The price now is that of its last list: what is billed is its disk, and its GPUs only while it runs; limits and totals count its GPUs unless it is stopped.',
    ],
    value: {
      costUsd: Number(cost.usd),
      billedUsdPerHour: numberOf(billedUsdPerHour),
      usdPerHour: numberOf(usdPerHour),
    },
    recomputed: {
      costUsd: Number(recomputed.amountUsd),
      billedUsdPerHour: plainUsdPerHour(shown.instance, isComputing),
      usdPerHour: plainUsdPerHour(shown.instance),
    },
    unit: 'USD',
    formula: `billed: baseUsdPerHour while it runs + ${diskFormula}; counted: ${formula}`,
    taken: taken.map(presentEntry),
    rejected: rejected.map(presentEntry),
  };
}

/** Explains the account's current hourly cost, instance by instance, with unsettled creates at their quotes. */
export async function explainInstances(
  sql: Sql,
  { marketId, asOf }: Pick<SpendScope, 'marketId' | 'asOf'>,
): Promise<ExplainedFigures> {
  const ledger = await readLedger(sql, marketId, asOf);
  const rows = ledger.map(({ instanceId, instance, rental, label, state }) => {
    const quoted = rental?.usdPerHour ?? null;
    const usdPerHour =
      instance !== null ? plainUsdPerHour(instance) : quoted === null ? null : Number(quoted);
    const { gpuName = null, numGpus = null } = instance ?? rental ?? {};
    return {
      instanceId,
      label,
      gpuName,
      numGpus,
      state,
      usdPerHour,
      rejected: usdPerHour !== null ? null : instance?.goneAt == null ? 'price unknown' : 'gone',
    };
  });
  const taken = rows.filter(({ rejected }) => rejected === null);
  const rejected = rows.filter((row) => row.rejected !== null);
  return {
    text: [`${countOf(taken.length, 'instance')} of the last list. ${leftOutWords(rejected)}`],
    value: { usdPerHour: Number(ledgerUsdPerHour(ledger)) },
    recomputed: { usdPerHour: taken.reduce((sum, row) => sum + Number(row.usdPerHour), 0) },
    unit: 'USD/hour',
    formula: `sum of: ${formula}`,
    taken,
    rejected,
  };
}

const diskFormula = `storageUsdPerGbMonth × diskSpaceGb / ${hoursPerMonth}`;
const formula = `baseUsdPerHour while it is not stopped + ${diskFormula}`;

/** Returns a moment before its first cost. */
function beginOf({ instance, rental }: LedgerInstance, asOf: Date): Date {
  const known = [instance?.startedAt, instance?.firstSeenAt, rental?.createdAt].filter((at) => at != null);
  return new Date(known.reduce((first, at) => Math.min(first, at.getTime()), asOf.getTime()) - marginMs);
}

const numberOf = (usd: string | null): number | null => (usd === null ? null : Number(usd));

function plainUsdPerHour(
  instance: AccountInstance | null,
  withGpus = (listed: AccountInstance) => !isStopped(listed),
): number | null {
  if (instance === null || instance.goneAt !== null) return null;
  const { storageUsdPerGbMonth, diskSpaceGb, baseUsdPerHour } = instance;
  if (storageUsdPerGbMonth === null || diskSpaceGb === null) return null;
  const disk = (storageUsdPerGbMonth * diskSpaceGb) / hoursPerMonth;
  if (!withGpus(instance)) return disk;
  return baseUsdPerHour === null ? null : disk + baseUsdPerHour;
}
