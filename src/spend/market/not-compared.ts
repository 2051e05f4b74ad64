import { Exact, sumUsd } from '../exact-sums.ts';
import { type OtherConsumption, otherReasons } from './charged-hours.sql.ts';

/** Why consumption is not compared with the market; `unpriced`: no market price of those hours. */
export const notComparedReasons = ['unpriced', ...otherReasons] as const;

export interface NotComparedPart {
  reason: (typeof notComparedReasons)[number];
  amountUsd: string;
  /** The instances that it is of, the largest amount first. */
  instances: { instanceId: number | null; label: string | null; amountUsd: string }[];
}

/** All consumption of a range, and what of it is not compared; with what is compared that adds up. */
export interface NotCompared {
  consumptionUsd: string;
  amountUsd: string;
  parts: NotComparedPart[];
}

interface Item {
  instanceId: number | null;
  label: string | null;
  paidUsd: string;
  comparedUsd: string | null;
}

/** Adds up what is not compared: hours without a market price, and consumption that is in no hour of GPUs. */
export function sumNotCompared(items: readonly Item[], others: readonly OtherConsumption[]): NotCompared {
  const unpriced = items.map(({ instanceId, label, paidUsd, comparedUsd }) => {
    const amountUsd = new Exact(paidUsd).minus(comparedUsd ?? 0).toString();
    return { reason: 'unpriced' as const, instanceId, label, amountUsd };
  });
  const all = [...unpriced, ...others].filter(({ amountUsd }) => !new Exact(amountUsd).isZero());
  const parts = notComparedReasons.flatMap((reason): NotComparedPart[] => {
    const own = all.filter((each) => each.reason === reason);
    if (own.length === 0) return [];
    const instances = own
      .toSorted((a, b) => new Exact(b.amountUsd).comparedTo(a.amountUsd))
      .map(({ instanceId, label, amountUsd }) => ({ instanceId, label, amountUsd }));
    return [{ reason, amountUsd: sumUsd(own.map(({ amountUsd }) => amountUsd)), instances }];
  });
  return {
    consumptionUsd: sumUsd([
      ...items.map(({ paidUsd }) => paidUsd),
      ...others.map(({ amountUsd }) => amountUsd),
    ]),
    amountUsd: sumUsd(parts.map(({ amountUsd }) => amountUsd)),
    parts,
  };
}
