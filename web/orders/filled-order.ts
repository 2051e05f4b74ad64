import type { NewOrder, OrderChange, OrderChoice, OrderRequest, StandingOrder } from '../core/api.ts';
import { getNow } from '../core/server-time.ts';
import { formatMinuteField } from '../core/times.ts';
import { profileDefaults } from '../parts/filter-fields.ts';
import { environmentOf } from '../rentals/rent/rent-request.ts';
import { bidBody, type FilledBid, filledBid } from './bid-fields.tsx';
import { choicesOf } from './order-words.ts';

/** A choice as the form holds it; empty: no such condition. */
export interface FilledChoice {
  /** Stays the same when the choice moves. */
  key: string;
  watchId: string;
  maxUsdPerGpuHour: string;
  percentile: string;
  percentileDays: string;
  fallPercent: string;
  fallDays: string;
  bid: FilledBid;
  /** What the form has no field for: it is kept. */
  rest: Record<string, unknown>;
}

/** An order as the form holds it; empty: not given. */
export interface FilledOrder {
  name: string;
  count: string;
  /** In the reader's time zone, `2026-11-22T18:00`. */
  endsAt: string;
  budgetUsd: string;
  choices: readonly FilledChoice[];
  image: string;
  templateHashId: string;
  diskGb: string;
  maxHours: string;
  endAction: 'stop' | 'destroy';
  label: string;
  costCenter: string;
  env: string;
  onstart: string;
  channelIds: readonly string[];
  /** What the form has no field for: it is kept. */
  restOfRequest: Record<string, unknown>;
}

/** Texts of the request with a field of their own. */
const requestTexts = ['image', 'templateHashId', 'label', 'costCenter'] as const;
const dayMs = 86_400_000;
let made = 0;

/** Returns a choice for the form; a new one for a watch if there is none. */
export function filledChoice(
  choice: OrderChoice | null,
  watchId: string = choice?.watchId ?? '',
): FilledChoice {
  made += 1;
  const {
    watchId: _,
    maxUsdPerGpuHour,
    maxPercentile,
    minIndexFall,
    bid,
    ...rest
  } = choice ?? ({ watchId } as OrderChoice);
  return {
    key: String(made),
    watchId,
    maxUsdPerGpuHour: textOf(maxUsdPerGpuHour),
    percentile: textOf(maxPercentile?.percentile),
    percentileDays: textOf(maxPercentile?.days, '30'),
    fallPercent: textOf(minIndexFall?.percent),
    fallDays: textOf(minIndexFall?.days, '7'),
    bid: filledBid(bid),
    rest,
  };
}

/** Returns an order for the form; null: a new one for a watch. */
export function filledOrder(order: StandingOrder | null, watchId = '', now = getNow()): FilledOrder {
  const { image, templateHashId, diskGb, maxHours, endAction, label, costCenter, ...rest } =
    order?.request ?? { image: 'ubuntu:24.04', diskGb: Number(profileDefaults.storageGb) };
  const {
    env: _,
    onstartCharacters: _onstart,
    argsCharacters: _args,
    ...restOfRequest
  } = rest as Record<string, unknown>;
  return {
    name: order?.name ?? '',
    count: textOf(order?.count, '1'),
    endsAt: formatMinuteField(order === null ? new Date(now + 7 * dayMs) : new Date(order.endsAt)),
    budgetUsd: order?.budgetUsd ?? '',
    choices:
      order === null ? [filledChoice(null, watchId)] : choicesOf(order).map((each) => filledChoice(each)),
    image: textOf(image),
    templateHashId: textOf(templateHashId),
    diskGb: textOf(diskGb),
    maxHours: textOf(maxHours),
    endAction: endAction === 'destroy' ? 'destroy' : 'stop',
    label: textOf(label),
    costCenter: textOf(costCenter),
    env: '',
    onstart: '',
    channelIds: order?.channelIds ?? [],
    restOfRequest,
  };
}

const textOf = (value: unknown, unset = ''): string =>
  value === undefined || value === null ? unset : String(value);

type Days<Condition extends 'maxPercentile' | 'minIndexFall'> = NonNullable<OrderChoice[Condition]>['days'];

/** Returns a choice for the API. */
function choiceBody(filled: FilledChoice): OrderChoice {
  const { watchId, maxUsdPerGpuHour, percentile, percentileDays, fallPercent, fallDays, rest } = filled;
  return {
    ...rest,
    watchId,
    ...(maxUsdPerGpuHour === '' ? {} : { maxUsdPerGpuHour: Number(maxUsdPerGpuHour) }),
    ...(percentile === ''
      ? {}
      : {
          maxPercentile: {
            percentile: Number(percentile),
            days: Number(percentileDays) as Days<'maxPercentile'>,
          },
        }),
    ...(fallPercent === ''
      ? {}
      : { minIndexFall: { percent: Number(fallPercent), days: Number(fallDays) as Days<'minIndexFall'> } }),
    ...bidBody(filled.bid),
  };
}

function requestBody(filled: FilledOrder): OrderRequest {
  const texts = requestTexts.map((name) => [name, filled[name].trim()]).filter(([, text]) => text !== '');
  const { diskGb, maxHours, endAction, restOfRequest, onstart } = filled;
  const env = environmentOf(filled.env);
  return {
    ...restOfRequest,
    ...Object.fromEntries(texts),
    diskGb: Number(diskGb),
    ...(maxHours === '' ? {} : { maxHours: Number(maxHours), endAction }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(onstart.trim() === '' ? {} : { onstart }),
  };
}

/** Returns the form's order for the API. */
export function orderBody(filled: FilledOrder): NewOrder {
  const { name, count, endsAt, budgetUsd, choices, channelIds } = filled;
  return {
    name: name.trim(),
    count: Number(count),
    endsAt: endsAt === '' ? '' : new Date(endsAt).toISOString(),
    budgetUsd: budgetUsd.trim() === '' ? null : budgetUsd.trim(),
    choices: choices.map(choiceBody),
    request: requestBody(filled),
    channelIds: [...channelIds],
  };
}

/**
 * Returns the fields that differ from before. The request, whose secrets cannot be read back, is thus only replaced if
 * something of it was changed.
 */
export function changedBody(before: FilledOrder, after: FilledOrder): OrderChange {
  const old = new Map<string, unknown>(Object.entries(orderBody(before)));
  return Object.fromEntries(
    Object.entries(orderBody(after)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(old.get(name)),
    ),
  );
}

/** Returns what of an order is stored but never shown, in words; empty: nothing. */
export function hiddenParts({ request }: Pick<StandingOrder, 'request'>): string[] {
  const names = Array.isArray(request.env) ? request.env.map(String) : [];
  return [
    ...(names.length === 0 ? [] : [`the environment (${names.join(', ')})`]),
    ...(request.onstartCharacters === undefined ? [] : ['the start script']),
    ...(request.argsCharacters === undefined ? [] : ['the arguments']),
  ];
}
