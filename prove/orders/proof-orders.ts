import { uuidv7 } from 'uuidv7';
import { defaultProfile } from '../../src/core/metric.ts';
import { addOrder, armOrder, tryStored } from '../../src/orders/order-changes.ts';
import { insertWatch } from '../../src/watches/watches.sql.ts';
import { publicUrl } from './order-actor.ts';
import { diskGb, type OrderMarket } from './order-market.ts';

/** An order of the proof. Its image is its own, so that the market's list says whose an instance is. */
export interface ProofOrder {
  id: string;
  image: string;
  count: number;
  numGpus: number;
  maxUsdPerGpuHour: number;
  /** $/GPU-hour that its first choice bids up to; null: it does not bid. */
  bidsUpToUsdPerGpuHour: number | null;
  budgetUsd: number | null;
  maxHours: number;
}

const maxHours = 200;

/** Arms orders of all sizes: some ask for one machine and some for several, some have a budget, some bid first. */
export async function armProofOrders(
  market: OrderMarket,
  { count, random }: { count: number; random: () => number },
): Promise<ProofOrder[]> {
  const [actor] = market.actors;
  const acting = { actor, publicUrl, by: 'prover' };
  const placed: ProofOrder[] = [];
  for (let index = 0; index < count; index += 1) {
    const numGpus = random() < 0.6 ? 1 : 2;
    const watch = await insertWatch(
      actor.sql,
      [actor.market.id],
      {
        ...{
          name: `watch ${index}`,
          filters: { numGpus: [numGpus], type: ['on-demand', 'bid'] },
          profile: defaultProfile,
          top: 10,
        },
        ...{ rankBy: 'usdPerGpuHour', schedule: { cron: '*/10 * * * *', timeZone: 'UTC' } },
        ...{ channelIds: [], reportSchedule: null },
      },
      market.clock.now,
    );
    const order = {
      image: `ubuntu:order-${index}-${uuidv7()}`,
      count: 1 + Math.floor(random() * 3),
      numGpus,
      maxUsdPerGpuHour: 0.05 + 0.2 * random(),
      bidsUpToUsdPerGpuHour: random() < 0.4 ? 0.04 + 0.16 * random() : null,
      budgetUsd: random() < 0.3 ? Number((20 + 80 * random()).toFixed(2)) : null,
      maxHours,
    };
    const { id } = await addOrder(acting, {
      ...{ name: `order ${index}`, count: order.count, channelIds: [] },
      endsAt: new Date(market.clock.now.getTime() + 30 * 86_400_000).toISOString(),
      budgetUsd: order.budgetUsd === null ? null : String(order.budgetUsd),
      choices: [
        ...bidding(order, watch?.id ?? ''),
        { watchId: watch?.id ?? '', maxUsdPerGpuHour: order.maxUsdPerGpuHour },
      ],
      request: { image: order.image, diskGb, maxHours, endAction: 'destroy' },
    });
    await tryStored(acting, id, {});
    await armOrder(acting, id);
    placed.push({ id, ...order });
  }
  return placed;
}

/** The first choice of an order that bids. */
function bidding(
  { bidsUpToUsdPerGpuHour: maxUsdPerGpuHour }: Pick<ProofOrder, 'bidsUpToUsdPerGpuHour'>,
  watchId: string,
) {
  if (maxUsdPerGpuHour === null) return [];
  const bid = { abovePercent: 5, stepPercent: 15, whenOutbid: 'replace' as const };
  return [{ watchId, maxUsdPerGpuHour, bid }];
}
