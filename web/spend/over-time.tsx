import type { ComponentChildren } from 'preact';
import type { Spend } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { countOf, formatAmount } from '../core/figures.ts';
import { Explain, explainQuery } from '../parts/explain.tsx';
import { Moment } from '../parts/moment.tsx';
import { Notice } from '../parts/notice.tsx';
import { SpendBars } from './spend-bars.tsx';
import { SpendBefore } from './spend-before.tsx';
import type { SpendUnit } from './spend-times.ts';
import { SpendTotals } from './spend-totals.tsx';
import { hasBills } from './spend-words.ts';
import { SyncBills } from './sync-bills.tsx';

interface Props {
  app: App;
  spend: Spend;
  unit: SpendUnit;
  group: string;
  /** Range and time zone. */
  asked: URLSearchParams;
  /** What else is said of the totals. */
  children?: ComponentChildren;
}

/** What was spent, in total, against the time before and as bars. */
export function OverTime({ app, spend, unit, group, asked, children }: Props) {
  const consumption = spend.items.filter(({ category }) => category === 'consumption');
  return (
    <>
      <SpendTotals totals={spend.totals} asked={asked} />
      {consumption.length > 0 && children}
      {spend.totals.some(({ category }) => category !== 'consumption') && (
        <p class="caption">
          Consumption is what instances and volumes cost; what is paid into the account, such as a top-up, is
          no part of it.
        </p>
      )}
      {hasBills(spend) && <SpendBefore spend={spend} />}
      {consumption.length === 0 ? (
        <>
          <Notice
            title={
              hasBills(spend)
                ? 'No consumption in this range'
                : 'Spend unknown: no bills have been synced yet'
            }
          >
            {hasBills(spend)
              ? 'Choose another period, or an earlier start.'
              : 'Bills are synced on a schedule; the first sync can also begin now.'}
          </Notice>
          {!hasBills(spend) && <SyncBills app={app} />}
        </>
      ) : (
        <SpendBars items={consumption} spend={spend} unit={unit} grouping={group} asked={asked} />
      )}
      {hasBills(spend) && (
        <p class="caption">
          <Synced readUntil={spend.readUntil} /> Days in {spend.timeZone}.
          {spend.disappeared.entries > 0 &&
            ` ${countOf(spend.disappeared.entries, 'entry', 'entries')} of ${formatAmount(spend.disappeared.amountUsd)} are no longer listed by the market and not counted.`}
          {spend.months
            .filter(({ adjustmentUsd }) => Number(adjustmentUsd) !== 0)
            .map(({ month, adjustmentUsd }) => (
              <span key={month} data-month={month} data-value={adjustmentUsd}>
                {` ${month} was closed and has changed by `}
                <Explain query={explainQuery('adjustment', { month }, asked)}>
                  {formatAmount(adjustmentUsd)}
                </Explain>
                {' since.'}
              </span>
            ))}
        </p>
      )}
    </>
  );
}

/** Up to when the bills are known; one kind at least is. */
function Synced({ readUntil: { charges, invoices } }: Pick<Spend, 'readUntil'>) {
  if (charges === null || invoices === null) {
    const [known, missing] = charges === null ? ['Invoices', 'charges'] : ['Charges', 'invoices'];
    return (
      <>
        {known} synced until <Moment t={charges ?? invoices} />; {missing} not yet, so{' '}
        {missing === 'charges' ? 'what was used is still estimated' : 'payments are still missing'}.
      </>
    );
  }
  return (
    <>
      Charges synced until <Moment t={charges} />, invoices until <Moment t={invoices} />.
    </>
  );
}
