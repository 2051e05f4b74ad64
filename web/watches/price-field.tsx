import type { Ref } from 'preact';
import { metricLabel } from '../core/metrics.ts';
import { perUnit, unitOfMetric } from './metric-words.ts';

interface Props {
  /** The words before the metric: `When the lowest`. */
  begins: string;
  metric: string;
  text: string;
  set: (text: string) => void;
  /** Shown while it is empty. @default a price is required */
  unset?: string;
  input?: Ref<HTMLInputElement>;
}

/** The price below which somebody is notified, in a sentence with its unit. */
export const PriceField = ({ begins, metric, text, set, unset, input = null }: Props) => (
  <label class="sentence">
    <span>
      {begins} {metricLabel(metric)} falls below
    </span>
    <span class="price">
      $
      <input
        ref={input}
        name="alert-usd"
        inputMode="decimal"
        autocomplete="off"
        required={unset === undefined}
        placeholder={unset}
        size={8}
        aria-label={`Price below which you are notified, ${unitOfMetric(metric)}`}
        value={text}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
      {perUnit(metric)}
    </span>
  </label>
);

/** Says that a text is no price; nothing for a price or an empty text. */
export const PriceProblem = ({ text, usd }: { text: string; usd: number | null }) =>
  usd === null && text.trim() !== '' ? <p class="failure">Enter a price such as 2.00.</p> : null;
