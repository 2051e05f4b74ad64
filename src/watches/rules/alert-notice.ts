import { unitWords, valueWithUnit } from '../../core/metric.ts';
import { usdPerHour } from '../../core/price.ts';
import { minuteWords } from '../../core/time-words.ts';
import { formatUsd } from '../../core/usd-words.ts';
import { oneLine } from '../channels/notice.ts';
import type { NoticeOf } from '../channels/notice-schema.ts';
import { notRentedWords, offerLink } from '../quote-link.ts';
import type { ArrangedOffer } from './offer-table.ts';
import { metricOfRule, type Rule, unitOfRule } from './rule.ts';
import type { Firing } from './rule-machine.ts';

/** What an alert of a watch is about. */
export interface AlertSubject {
  /** `market` is the market of the book. */
  rule: Pick<Rule, 'id' | 'kind' | 'params' | 'watchId' | 'market'>;
  watch: { name: string; storageGb: number; hasSeveralMarkets: boolean };
  book: { id: number; observedAt: Date };
  firing: Firing;
  /** null: no offer matches. */
  offer: ArrangedOffer | null;
  publicUrl: string;
  /** Name of the market whose offers can be rented; null: there is none. */
  rentMarket: string | null;
}

const numberWords = (value: number | null): string =>
  value === null ? 'none' : String(Number(value.toPrecision(6)));

/**
 * Formats a figure of an alert: a price with the digits of the offer's price beside it, or with more if it would look
 * like `other`.
 */
function figureWords(value: number | null, unit: string | null, other: number | null): string {
  const shown = unitWords(unit ?? '');
  if (value === null || !shown.startsWith('$')) return valueWithUnit(value, unit);
  const words = formatUsd(value);
  const looksEqual = value !== other && words === formatUsd(other);
  return looksEqual ? valueWithUnit(value, unit) : `${words}${shown.slice(1)}`;
}

/** Returns the notice of a firing: rule, book, value, baseline and previous value. */
export function alertNotice({
  rule,
  watch,
  book,
  firing,
  offer,
  publicUrl,
  rentMarket,
}: AlertSubject): NoticeOf<'alert'> {
  const { value, baseline, previous } = firing;
  const [unit, metric] = [unitOfRule(rule) ?? '', metricOfRule(rule)];
  const model = offer === null ? null : `${offer.numGpus}× ${oneLine(offer.gpuName, 60)}`;
  const price = offer === null ? null : usdPerHour(offer, watch.storageGb);
  // The limit of a percentile rule is a share of its pool, not a price; that of a price rule is as it was typed.
  const limit =
    rule.kind === 'percentileBelow'
      ? `the cheapest ${valueWithUnit(baseline, '%')} of its pool`
      : rule.kind === 'priceBelow'
        ? valueWithUnit(baseline, unit)
        : figureWords(baseline, unit, value);
  const at = book.observedAt.toISOString();
  const market = oneLine(rule.market, 60);
  const title = `${oneLine(watch.name, 80)}: ${whatHappened(rule, firing)}${watch.hasSeveralMarkets ? ` in ${market}` : ''}${model === null ? '' : `, ${model} at ${formatUsd(price)}/hour`}`;
  const place =
    offer === null
      ? []
      : [
          `${model}, ${offer.type}, ${oneLine(offer.verification ?? 'tier unknown', 20)}, ${oneLine(offer.country ?? 'country unknown', 20)}: ${formatUsd(price)}/hour.`,
          `Offer ${offer.offerId ?? 'unknown'}, machine ${offer.machineId}.`,
          ...(market === rentMarket ? [] : [notRentedWords(market)]),
        ];
  return {
    kind: 'alert',
    title: oneLine(title, 200),
    lines: [
      ...place,
      `Alert of the watch ${oneLine(watch.name, 80)} in ${market}, book ${book.id} (snapshot of the market) of ${minuteWords(at)}.`,
      `Value now ${figureWords(value, unit, baseline)}, compared with ${limit}; ${beforeWords(firing, unit)}.`,
    ],
    link:
      offer === null
        ? publicUrl
        : offerLink(publicUrl, {
            ...offer,
            storageGb: watch.storageGb,
            canRent: rule.market === rentMarket,
          }),
    at,
    watchId: rule.watchId,
    ruleId: rule.id,
    data: {
      rule: { id: rule.id, kind: rule.kind, params: rule.params },
      watch: { id: rule.watchId, name: watch.name },
      market: rule.market,
      bookId: book.id,
      observedAt: at,
      value,
      metric,
      unit,
      baseline,
      previous,
      offer:
        offer === null
          ? null
          : {
              offerId: offer.offerId,
              listingId: String(offer.listingId),
              machineId: offer.machineId,
              hostId: offer.hostId,
              gpuName: offer.gpuName,
              numGpus: offer.numGpus,
              type: offer.type,
              verification: offer.verification,
              country: offer.country,
              usdPerHour: price,
            },
    },
  };
}

/** Returns the value of the book before, or why there is none. */
function beforeWords({ previous, baseline, isFirst }: Firing, unit: string): string {
  if (previous !== null) return `in the book before ${figureWords(previous, unit, baseline)}`;
  return isFirst
    ? 'its first book since this alert was saved or changed'
    : 'no value of the book before is known';
}

function whatHappened(rule: AlertSubject['rule'], { value, baseline }: Firing): string {
  const { kind, params } = rule;
  switch (kind) {
    case 'priceBelow': {
      const unit = unitOfRule(rule);
      return `${figureWords(value, unit, baseline)} is below ${valueWithUnit(baseline, unit)}`;
    }
    case 'percentileBelow':
      return `among the cheapest ${String(params.percentile)}% of ${String(params.days)} days`;
    case 'lowestInDays':
      return `the lowest in ${String(params.days)} days`;
    case 'changePercent': {
      const change = value === null || !baseline ? 0 : (100 * (value - baseline)) / baseline;
      return `${change < 0 ? 'down' : 'up'} ${Math.abs(change).toFixed(1)}%`;
    }
    case 'indexChange':
      return `prices like for like ${(value ?? 0) < 0 ? 'down' : 'up'} ${Math.abs(value ?? 0).toFixed(1)}% in ${String(params.days)} ${params.days === 1 ? 'day' : 'days'}`;
    case 'backInStock':
      return 'back in stock';
    case 'supplyBelow':
      return `only ${value === 1 ? '1 offer' : `${numberWords(value)} offers`} left`;
    case 'bidSpread':
      return `bids ${numberWords(value)}% below on-demand`;
    default:
      return kind;
  }
}
