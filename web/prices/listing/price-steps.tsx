import { useState } from 'preact/hooks';
import { formatAmountTick, formatShare, formatUsd } from '../../core/figures.ts';
import { roundPrices } from '../../core/round-prices.ts';
import { formatDuration, formatMoment } from '../../core/times.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Explain } from '../../parts/explain.tsx';
import { Moment } from '../../parts/moment.tsx';
import { isNew, listedOf, newWords, type PricedSpan } from './priced-spans.ts';

interface Props {
  spans: readonly PricedSpan[];
  from: number;
  to: number;
  /** Query of its explanation. */
  explain: string;
}

const maxTicks = 5;
const width = 1000;
const height = 200;
const dayMs = 86_400_000;

/**
 * The price of one listing over time as steps, strong while it was listed, faint while it was not. Shows the price at
 * the pointer.
 */
export function PriceSteps({ spans, from: begin, to, explain }: Props) {
  const [pointed, setPointed] = useState<number | null>(null);
  const from = Math.max(begin, spans[0]?.from ?? begin);
  // A range of which nothing is known at its beginning is shorter than it says.
  const isShort = from - begin > dayMs && to > from;
  const prices = spans.map(({ usdPerGpuHour }) => usdPerGpuHour);
  const [lowest, highest] = [Math.min(...prices), Math.max(...prices)];
  const margin = Math.max((highest - lowest) * 0.15, highest * 0.05);
  const [bottom, top] = [lowest - margin, highest + margin];
  const x = (time: number) => (((time - from) / (to - from)) * width).toFixed(1);
  const shareOf = (price: number) => (price - bottom) / (top - bottom);
  const y = (price: number) => (height - shareOf(price) * height).toFixed(1);
  const ticks = roundPrices(bottom, top, maxTicks);
  const tickStep = (ticks[1] ?? top) - (ticks[0] ?? bottom);
  const path = (present: boolean) =>
    spans
      .filter((span) => span.present === present)
      .map((span) => `M${x(span.from)} ${y(span.usdPerGpuHour)}H${x(span.to)}`)
      .join('');
  const steps = spans
    .slice(1)
    .map((span, index) => `M${x(span.from)} ${y(spans[index]?.usdPerGpuHour ?? 0)}V${y(span.usdPerGpuHour)}`)
    .join('');
  const last = spans.at(-1);
  const { listed, known } = listedOf(spans);
  const isAgain = last !== undefined && isNew(last) && spans.at(-2)?.present === false;
  return (
    <>
      <dl class="figures">
        <div>
          <dt>{last?.present === true ? 'Asking price' : 'Last asking price'}</dt>
          <dd class="main">
            <Explain query={explain}>{formatUsd(last?.usdPerGpuHour ?? null)} per GPU-hour</Explain>
          </dd>
        </div>
        <div>
          <dt>Its own prices in {isShort ? `the ${formatDuration(to - from)} known` : 'this range'}</dt>
          <dd>
            <Explain query={explain}>
              {formatUsd(lowest) === formatUsd(highest)
                ? `always ${formatUsd(lowest)}`
                : `${formatUsd(lowest)} – ${formatUsd(highest)}`}
            </Explain>
          </dd>
        </div>
        <div>
          <dt>Listed</dt>
          <dd data-listed-seconds={listed / 1000}>
            {known > 1 ? `${formatShare(listed / known, 0)} of ${formatDuration(known)}` : newWords}
            {known > 1 && isAgain && ', and now again'}
          </dd>
        </div>
      </dl>
      <div
        class="steps-chart"
        onPointerMove={({ currentTarget, clientX }) => {
          const { left, width } = currentTarget.getBoundingClientRect();
          setPointed(from + Math.min(1, Math.max(0, (clientX - left) / width)) * (to - from));
        }}
        onPointerLeave={() => setPointed(null)}
      >
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          <path class="grid" d={ticks.map((price) => `M0 ${y(price)}H${width}`).join('')} />
          <path class="faint" d={path(false)} />
          <path class="faint" d={steps} />
          <path class="strong" d={path(true)} />
          {last !== undefined && isNew(last) && (
            <path class="strong point" d={`M${x(last.to)} ${y(last.usdPerGpuHour)}h0`} />
          )}
        </svg>
        {pointed !== null && (
          <i class="guide" style={{ left: `${((pointed - from) / (to - from)) * 100}%` }} />
        )}
        {ticks.map((price) => (
          <span key={price} class="tick" style={{ bottom: `${shareOf(price) * 100}%` }}>
            {formatAmountTick(price, tickStep)}
          </span>
        ))}
      </div>
      <p class="ends caption">
        <span>{formatMoment(from)}</span>
        <span>{formatMoment(to)}</span>
      </p>
      <p class="caption pointed-at">
        {pointed === null ? 'Solid: listed. Faint: not listed.' : wordsAt(spans, pointed)}
      </p>
      <details class="values">
        <summary>Show as table</summary>
        <DataTable
          label="Prices of the listing"
          id="listing-values"
          tall
          compact
          rows={spans.toReversed()}
          keyOf={(span) => String(span.from)}
          columns={[
            {
              head: 'From',
              heads: true,
              cell: (span) => <Moment t={new Date(span.from).toISOString()} relative={false} />,
            },
            { head: 'To', cell: (span) => <Moment t={new Date(span.to).toISOString()} relative={false} /> },
            {
              head: '$/GPU-hour',
              number: true,
              field: 'usdPerGpuHour',
              value: (span) => span.usdPerGpuHour,
              cell: (span) => <Explain query={explain}>{formatUsd(span.usdPerGpuHour)}</Explain>,
            },
            { head: 'Listed', cell: listedWords },
          ]}
        />
      </details>
    </>
  );
}

const listedWords = ({ present, missed }: PricedSpan): string =>
  missed ? 'Yes, but a book in between lacks it' : present ? 'Yes' : 'No';

function wordsAt(spans: readonly PricedSpan[], moment: number): string {
  const span = spans.findLast(({ from, to }) => from <= moment && moment <= to);
  if (span === undefined) return `${formatMoment(moment)}: price unknown`;
  const price = formatUsd(span.usdPerGpuHour);
  return `${formatMoment(moment)}: ${price} per GPU-hour, ${span.present ? 'listed' : 'not listed'}`;
}
