import type { Alert, Rule } from '../core/api.ts';
import { countOf } from '../core/figures.ts';
import { formatMoment } from '../core/times.ts';
import { amountInMetric } from './metric-words.ts';

type Fired = Pick<Rule, 'params' | 'hysteresisPercent' | 'of' | 'rearm'>;

/**
 * Returns that a price alert has fired at its limit, and when it fires again while the price is below; null: it has not.
 * A changed limit, or being switched off and on, makes it fire as a new one. `last`: its newest alert. Source: docs/meaning.md#rules-and-alerts.
 */
export function firesAgainWords(
  { params, hysteresisPercent, of, rearm }: Fired,
  last: Pick<Alert, 'at' | 'baseline'> | null,
): string | null {
  if (last === null || last.baseline !== params.usd) return null;
  const fired = `It fired on ${formatMoment(last.at)} and`;
  if (rearm === 'never') return `${fired} does not fire again.`;
  if (rearm !== 'leave')
    return `${fired} fires again ${countOf(rearm.afterMinutes, 'minute')} later at the earliest.`;
  const back = Number((Number(params.usd) * (1 + hysteresisPercent / 100)).toPrecision(6));
  const books = of.n > 1 ? ` in ${of.n} books in a row` : '';
  return `${fired} fires again only after the price has been at or above ${amountInMetric(back, params.metric)}${books}, or the alert has been switched off and on.`;
}
