import type { ComponentChildren } from 'preact';
import type { Spend } from '../core/api.ts';
import { countOf, formatAmount } from '../core/figures.ts';
import { differAsShown } from '../core/rounded-parts.ts';
import { Explain, explainQuery } from '../parts/explain.tsx';
import { signedUsd, sumUsd, sumWords } from './spend-words.ts';

type Total = Spend['totals'][number];

interface Props {
  totals: readonly Total[];
  /** Range and time zone. */
  asked: URLSearchParams;
}

/** The sum of each category; below it, what of it is only estimated. */
export function SpendTotals({ totals, asked }: Props) {
  return (
    <dl class="figures" data-totals>
      {[...Map.groupBy(totals, ({ category }) => category)].map(([category, parts]) => {
        const entries = parts.reduce((sum, part) => sum + part.entries, 0);
        const whole = parts.length === 1 ? parts[0] : undefined;
        const amountUsd = sumUsd(parts);
        return (
          <div key={category} title={countOf(entries, 'entry', 'entries')}>
            <dt>{sumWords.get(category)}</dt>
            <dd
              class={category === 'consumption' ? 'main' : ''}
              data-total={whole === undefined ? category : `${category}/${whole.basis}`}
              data-value={amountUsd}
            >
              <Explain query={explainQuery('spend', { category, basis: whole?.basis ?? null }, asked)}>
                {formatAmount(signedUsd({ category, amountUsd }))}
              </Explain>
            </dd>
            <Estimated parts={parts} asked={asked} />
          </div>
        );
      })}
    </dl>
  );
}

/** How much of a sum is estimated; nothing if none of it is. Amounts that would not add up as shown leave one out. */
function Estimated({ parts, asked }: { parts: readonly Total[]; asked: URLSearchParams }) {
  const [charged, estimated] = [partOf(parts, 'charged'), partOf(parts, 'estimated')];
  if (estimated === undefined) return null;
  if (charged === undefined) return <dd class="soft">all estimated: not charged so far</dd>;
  const isRest = differAsShown(sumUsd(parts), [charged.amountUsd, estimated.amountUsd]);
  return (
    <dd class="soft">
      <Part total={estimated} asked={asked}>
        {formatAmount(estimated.amountUsd)}
      </Part>{' '}
      estimated (not charged so far),{' '}
      <Part total={charged} asked={asked}>
        {isRest ? 'the rest' : formatAmount(charged.amountUsd)}
      </Part>{' '}
      charged
    </dd>
  );
}

const partOf = (parts: readonly Total[], basis: Total['basis']): Total | undefined =>
  parts.find((part) => part.basis === basis);

function Part({
  total: { category, basis, amountUsd },
  asked,
  children,
}: {
  total: Total;
  asked: URLSearchParams;
  children: ComponentChildren;
}) {
  return (
    <span data-total={`${category}/${basis}`} data-value={amountUsd}>
      <Explain query={explainQuery('spend', { category, basis }, asked)}>{children}</Explain>
    </span>
  );
}
