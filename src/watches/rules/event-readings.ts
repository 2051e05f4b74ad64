import { countOf } from '../../core/count-of.ts';
import { formatUsd } from '../../core/usd-words.ts';
import type { Db } from '../../database/connection.ts';
import type { createOutlierTests } from '../../prices/verdicts/segment-medians.ts';
import { findCheaperEqual } from '../../rentals/instances/cheaper-equal.ts';
import { readBudgetStates } from '../../spend/budgets/budget-states.ts';
import { burnRates } from '../../spend/budgets/budgets.sql.ts';
import { sumBurn } from '../../spend/budgets/spend-projection.ts';
import { oneLine } from '../channels/notice.ts';
import {
  cheaperNotices,
  dataAgeMinutes,
  limitNotices,
  lostDeliveries,
  newestVerdicts,
  watchedInstances,
} from './event-readings.sql.ts';
import type { Rule } from './rule.ts';
import type { Reading } from './rule-condition.ts';

/** What a rule on events sees now: one reading per key, each with the text of an alert. */
export type EventReadings = Map<string, Reading & { says: string; about: Record<string, unknown> }>;

/** Dependencies of readings. */
export interface EventSources {
  db: Db;
  marketId: number;
  now: Date;
  outlierTests: ReturnType<typeof createOutlierTests>;
}

type Read = (
  sources: EventSources,
  rule: Pick<Rule, 'params' | 'hysteresisPercent'>,
) => Promise<EventReadings>;

const one = (
  key: string,
  value: number | null,
  says: string,
  about: Record<string, unknown> = {},
): EventReadings => new Map([[key, { value, held: value, says, about }]]);

const instanceName = ({
  instanceId,
  label,
  gpuName,
}: {
  instanceId: number;
  label: string | null;
  gpuName: string | null;
}) =>
  `instance ${instanceId}${label === null ? '' : ` (${oneLine(label, 60)})`}${gpuName === null ? '' : `, ${oneLine(gpuName, 40)}`}`;

/** How each kind of rule reads its values. */
export const eventReadings: Readonly<Record<string, Read>> = {
  burnAbove: async ({ db, marketId }) => {
    const { usdPerHour, unpriced } = sumBurn(await burnRates(db, marketId));
    if (usdPerHour === null) return one('best', null, 'what the account burns an hour is not known');
    const burn = Number(usdPerHour);
    const lacks = unpriced === 0 ? '' : `, without ${unpriced} whose price is not known`;
    return one('best', burn, `the account burns ${formatUsd(burn)} an hour${lacks}`);
  },
  budget: async ({ db, marketId, now }, { params }) => {
    const budget = (await readBudgetStates(db, marketId, now)).find(({ id }) => id === params.budgetId);
    if (budget === undefined) return new Map();
    const { share, spentUsd, monthlyUsd, month, label, alertAt } = budget;
    const says = `${Math.round(share * 100)}% of the budget${label === null ? '' : ` of ${oneLine(label, 60)}`} for ${month} is spent`;
    const about = { budgetId: budget.id, month, spentUsd, monthlyUsd };
    // Each month starts again.
    if (params.share !== undefined) return one(month, share, says, about);
    return new Map(
      alertAt.map((limit) => {
        const words = `${says}: it alerts at ${Number((limit * 100).toPrecision(6))}%`;
        return [`${month} ${limit}`, { value: share, held: share, limit, says: words, about }];
      }),
    );
  },
  dataAge: async ({ db, marketId, now }) => {
    const age = await dataAgeMinutes(db, marketId, now);
    return one(
      'best',
      age,
      `the newest complete book is ${age === null ? 'missing' : `${Math.round(age)} minutes old`}`,
    );
  },
  crawlPartial: async ({ db, marketId }) =>
    new Map(
      (await newestVerdicts(db, marketId)).map(({ scopeName, type, partial, reason, observedAt }) => {
        const value = partial ? 1 : 0;
        const says = `the ${type} book of ${observedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC is partial: ${oneLine(reason ?? 'no reason', 150)}`;
        return [
          `${scopeName}|${type}`,
          { value, held: value, says, about: { scope: scopeName, type, reason } },
        ];
      }),
    ),
  instanceState: async ({ db, marketId, now }, { params }) => {
    const states = params.states as string[];
    return new Map(
      (await watchedInstances(db, marketId, now)).map((instance) => {
        const status = instance.status ?? 'provisioning';
        const value = states.includes(status) ? 1 : 0;
        const about = { instanceId: instance.instanceId, status };
        return [
          String(instance.instanceId),
          { value, held: value, says: `${instanceName(instance)} is ${oneLine(status, 40)}`, about },
        ];
      }),
    );
  },
  idleGpu: async ({ db, marketId, now }) =>
    new Map(
      (await watchedInstances(db, marketId, now)).map((instance) => {
        const value = instance.idle ? 1 : 0;
        const says = `${instanceName(instance)} has been idle for an hour`;
        return [
          String(instance.instanceId),
          { value, held: value, says, about: { instanceId: instance.instanceId } },
        ];
      }),
    ),
  cheaperEqual: async ({ db, marketId, now, outlierTests }, { params, hysteresisPercent }) => {
    // Down to the value at which the condition is left.
    const percent = Number(params.percent) * (1 - hysteresisPercent / 100);
    const cheaper = await findCheaperEqual(db, marketId, { percent, outlierTests });
    const instances = cheaper.size === 0 ? [] : await watchedInstances(db, marketId, now);
    const readings: EventReadings = new Map();
    for (const instance of instances) {
      const offer = cheaper.get(instance.instanceId);
      if (offer === undefined) continue;
      const { offerId, machineId, usdPerHour: offerUsdPerHour, instanceUsdPerHour: usdPerHour } = offer;
      const lower = Number((100 * (1 - offerUsdPerHour / usdPerHour)).toPrecision(12));
      readings.set(String(instance.instanceId), {
        value: lower,
        held: lower,
        says: `offer ${offerId} costs ${formatUsd(offerUsdPerHour)}/hour, ${instanceName(instance)} ${formatUsd(usdPerHour)}/hour`,
        about: { instanceId: instance.instanceId, offerId, machineId, usdPerHour, offerUsdPerHour },
      });
    }
    return readings;
  },
  instanceLimit: async ({ db, marketId, now }) => {
    const readings: EventReadings = new Map();
    for (const notice of await cheaperNotices(db, marketId)) {
      const { key, instanceId, offerId, usdPerHour, instanceUsdPerHour, replacedBy, problem } = notice;
      const prices = `${formatUsd(usdPerHour)}/hour, ${instanceName(notice)} ${formatUsd(instanceUsdPerHour)}/hour`;
      const about = { instanceId, offerId, usdPerHour, instanceUsdPerHour, replacedBy, problem };
      const says =
        replacedBy === null
          ? `offer ${offerId} costs ${prices}${problem === null ? '' : `; not rented: ${oneLine(problem, 100)}`}`
          : `instance ${replacedBy} is ready at ${prices}: destroy the dearer one?`;
      readings.set(key, { value: 1, held: 1, says, about });
    }
    for (const notice of await limitNotices(db, marketId, now)) {
      const { key, instanceId, limit, does, at, reading } = notice;
      const end = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
      const what =
        reading === null
          ? `was ${does} at ${end} by its limit ${limit}`
          : `will be ${does} about ${end} by its limit ${limit}: ${reading}`;
      const about = { instanceId, limit, at: at.toISOString(), reading };
      readings.set(key, { value: 1, held: 1, says: `${instanceName(notice)} ${what}`, about });
    }
    return readings;
  },
  delivery: async ({ db, now }) =>
    new Map(
      (await lostDeliveries(db, now)).map(({ channelId, channelName, lost, problem }) => {
        const says = `${countOf(lost, 'delivery', 'deliveries')} to ${oneLine(channelName, 60)} failed: ${oneLine(problem, 150)}`;
        return [channelId, { value: lost, held: lost, says, about: { channelId, lost, problem } }];
      }),
    ),
};
