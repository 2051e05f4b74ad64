import { isRecord } from '../wire/record-rows.ts';

/** A server's $/day, or why it is unknown (`isFault`: a broken row); `doubtful` has the contradictory amounts. */
export type DayPrice =
  | { kind: 'usd'; usdPerDay: number }
  | { kind: 'none'; reason: string; isFault: boolean }
  | { kind: 'doubtful'; amounts: Readonly<Record<string, number>> };

/** The market's name for dollars. */
const dollars = 'USD-Blockchain';
/** Why a server with prices only in coins is left out. */
const noDollarPrice = 'no price in dollars';
/** How far two amounts that should be equal may differ, as a share of the dollar price. */
const doubtfulShare = 0.15;

/**
 * Returns the on-demand price per day: the host's dollar price, or else the market's own conversion. If another
 * conversion differs from it by more than 15 %, the price is doubtful, because the market refuses to rent in a currency
 * whose price is so far off. Source: docs/clore.md#prices.
 */
export function onDemandPrice(price: unknown): DayPrice {
  const byCurrency = recordOf(recordOf(price).on_demand);
  const converted = recordOf(recordOf(price).usd);
  return agreedPrice(
    {
      [`on_demand.${dollars}`]: byCurrency[dollars],
      'usd.on_demand_usd': converted.on_demand_usd,
      'usd.on_demand_clore': converted.on_demand_clore,
      'usd.on_demand_btc': converted.on_demand_btc,
    },
    2,
  );
}

/** Returns the lowest price per day for a spot rental, a floor like a minimum bid; read as on-demand prices are. */
export function spotPrice(price: unknown): DayPrice {
  const byCurrency = recordOf(recordOf(price).spot);
  const original = recordOf(recordOf(recordOf(price).original_usd)[dollars]);
  return agreedPrice(
    { [`spot.${dollars}`]: byCurrency[dollars], [`original_usd.${dollars}.spot`]: original.spot },
    2,
  );
}

/**
 * Returns the first dollar price unless another amount contradicts it. The first `own` of the named amounts are dollar
 * prices, the others conversions. A dollar price that is not a number above 0 is a fault of the row, never a bargain;
 * an unreadable conversion is a currency that the host does not accept.
 */
function agreedPrice(named: Readonly<Record<string, unknown>>, own: number): DayPrice {
  const amounts: Record<string, number> = {};
  let usdPerDay: number | null = null;
  for (const [index, [name, value]] of Object.entries(named).entries()) {
    if (value === undefined || value === null) continue;
    const isAmount = typeof value === 'number' && Number.isFinite(value) && value > 0;
    if (index < own && !isAmount) {
      const problem = typeof value === 'number' ? 'not above 0' : 'not a number';
      return { kind: 'none', reason: `price.${name}: ${problem}`, isFault: true };
    }
    if (!isAmount) continue;
    amounts[name] = value;
    if (index < own) usdPerDay ??= value;
  }
  if (usdPerDay === null) return { kind: 'none', reason: noDollarPrice, isFault: false };
  const dollarPrice = usdPerDay;
  const isFar = (amount: number) => Math.abs(amount - dollarPrice) > doubtfulShare * dollarPrice;
  return Object.values(amounts).some(isFar) ? { kind: 'doubtful', amounts } : { kind: 'usd', usdPerDay };
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});
