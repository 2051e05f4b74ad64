import { Decimal } from 'decimal.js';
import type { Market } from '../../books/markets.sql.ts';
import type { Sql } from '../../database/connection.ts';
import type { OutlierTests } from '../../prices/newest/newest-offers.ts';
import type { Sealer } from '../actor.ts';
import { findRental, listRentalStates, type RentalMoment } from '../rent/rentals.sql.ts';
import { findReplacement, type ReplacementRental } from '../rent/replacements.sql.ts';
import type { Rental } from '../rental.ts';
import type { CheaperOffer } from './cheaper.sql.ts';
import { findCheaperEqual } from './cheaper-equal.ts';
import { actionsOf, type InstanceAction } from './instance-actions.ts';
import { listRateSteps } from './instance-rates.sql.ts';
import { isEnded, type LedgerInstance, readInstance } from './ledger.ts';
import { findMachine, type OfferedMachine } from './machines.sql.ts';
import type { RateStep } from './rental-cost.ts';
import { replacementProblem } from './replacement-request.ts';
import { type ListedStatus, listAuditOf, listStatuses } from './timeline.sql.ts';

/** What an instance is billed from a moment on. Decimal text; null: unknown. */
export interface PriceStep {
  from: Date;
  /** Whether its GPUs are billed, not only its disk. */
  computing: boolean;
  usdPerHour: string | null;
  baseUsdPerHour: string | null;
  storageUsdPerHour: string | null;
}

/** An equal machine that costs less than an instance. */
export interface EqualOffer extends CheaperOffer {
  savesUsdPerHour: string;
  /** Why it cannot be rented with the settings of the instance; null: it can. */
  problem: string | null;
}

/** Everything known about an instance, listed or gone. */
export interface InstanceDetail {
  shown: LedgerInstance;
  /** null: its machine was never offered, or is unknown. */
  machine: OfferedMachine | null;
  /** Of the ledger; empty: rented elsewhere. */
  states: RentalMoment[];
  /** As lists showed them. */
  statuses: ListedStatus[];
  prices: PriceStep[];
  actions: InstanceAction[];
  equal: EqualOffer | null;
  /** What it replaces. */
  replaces: Rental | null;
  replacement: ReplacementRental | null;
}

interface DetailDeps {
  sql: Sql;
  market: Pick<Market, 'id' | 'name'>;
  outlierTests: OutlierTests;
  /** @default requests with environment or start script cannot be repeated */
  sealer?: Sealer | undefined;
}

/** Returns everything known about an instance; null: neither account nor ledger has had it. */
export async function readInstanceDetail(
  deps: DetailDeps,
  instanceId: number,
  now: Date,
): Promise<InstanceDetail | null> {
  const { sql, market } = deps;
  const shown = await readInstance(sql, market.id, instanceId, now);
  if (shown === null) return null;
  const { instance, rental } = shown;
  const machineId = instance?.machineId ?? rental?.machineId ?? null;
  const { numGpus = null, type = null } = instance ?? rental ?? {};
  const rentalId = rental?.id ?? null;
  const replacesId = rental?.replacesId ?? null;
  return {
    shown,
    machine: machineId === null ? null : await findMachine(sql, market.id, { machineId, numGpus, type }),
    states: rentalId === null ? [] : await listRentalStates(sql, rentalId),
    statuses: await listStatuses(sql, market.id, instanceId),
    prices: priceSteps(await listRateSteps(sql, market.id, instanceId)),
    actions: actionsOf(await listAuditOf(sql, market.name, { instanceId, rentalId })),
    equal: isEnded(shown) ? null : await findEqual(deps, shown),
    replaces: replacesId === null ? null : await findRental(sql, replacesId),
    replacement: rentalId === null ? null : await findReplacement(sql, rentalId),
  };
}

/** Below this a machine counts as equally dear. */
const minSavingUsdPerHour = 0.0001;

async function findEqual(
  { sql, market, outlierTests, sealer }: DetailDeps,
  { instanceId, rental }: LedgerInstance,
): Promise<EqualOffer | null> {
  if (instanceId === null) return null;
  const found = await findCheaperEqual(sql, market.id, { percent: 0, instanceId, outlierTests });
  const offer = found.get(instanceId);
  if (offer === undefined) return null;
  const saves = new Decimal(offer.instanceUsdPerHour).minus(offer.usdPerHour).toDecimalPlaces(6);
  if (saves.lt(minSavingUsdPerHour)) return null;
  return { ...offer, savesUsdPerHour: saves.toString(), problem: replacementProblem({ sealer }, rental) };
}

/** Returns the steps with their sums; of steps at one moment the one that became known last counts. */
function priceSteps(steps: readonly RateStep[]): PriceStep[] {
  const counted = steps.filter(
    ({ fromAt }, index) => steps[index + 1]?.fromAt.getTime() !== fromAt.getTime(),
  );
  return counted.map(({ fromAt, computing, gone, baseUsdPerHour, storageUsdPerHour }) => ({
    from: fromAt,
    computing,
    baseUsdPerHour,
    storageUsdPerHour,
    usdPerHour: gone ? '0' : sumOf(storageUsdPerHour, computing ? baseUsdPerHour : '0'),
  }));
}

const sumOf = (a: string | null, b: string | null): string | null =>
  a === null || b === null ? null : new Decimal(a).plus(b).toString();
