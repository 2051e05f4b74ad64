import { reconcileSpend } from '../../client/operations.js';
import type { Reconciliation } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { ownMoments } from '../core/explained-words.ts';
import { countOf, formatAmount } from '../core/figures.ts';
import { pathTo, valuesOf } from '../core/path-to.ts';
import { sentenceCase } from '../core/sentence-case.ts';
import { useAnswer } from '../core/use-answer.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Explain, explainQuery } from '../parts/explain.tsx';
import { FirstRows } from '../parts/first-rows.tsx';
import { Moment } from '../parts/moment.tsx';
import { Awaited } from '../parts/notice.tsx';
import { dayAfter, firstDayOf, formatDays, lastDayOf } from './spend-periods.ts';
import { formatSpendTime } from './spend-times.ts';
import { noBills } from './spend-words.ts';

type Item = Reconciliation['items'][number];

interface Props {
  app: App;
  /** Range and time zone. */
  query: URLSearchParams;
  /** null: not known yet. */
  hasBills: boolean | null;
  /** What of the range's consumption is only estimated. */
  estimatedUsd: string | null;
}

/** Where bills, payments, balances and the ledger differ, and why; what needs a look first, the rest folded. */
export function Differences({ app, query, hasBills, estimatedUsd }: Props) {
  const answer = useAnswer(app, pathTo(reconcileSpend, valuesOf(query, ['timeZone', 'from', 'to'])));
  return (
    <section class="card" aria-label="Reconciliation" id="reconciliation">
      <h2>
        Reconciliation<small>whether the bills agree with what Offerbook saw; differences only</small>
      </h2>
      <Awaited answer={answer} what="the differences">
        {({ items }) => {
          const of = (...statuses: Item['status'][]) =>
            items.filter(({ status }) => statuses.includes(status));
          const [open, credit] = [of('unexplained', 'explained'), of('credit')];
          return (
            <>
              {open.length === 0 ? (
                <p class="caption">
                  {hasBills === false ? noBills : agreement(of('pending').length, of('withinPolls').length)}
                </p>
              ) : (
                <>
                  <DifferenceTable label="Differences" items={open} query={query} />
                  <p class="caption">
                    Expected: what an instance’s listed prices and states come to, the whole charge, or the
                    bills between two balances. Actual: what was charged, the sum of the charge’s items, or
                    how the balance changed.
                  </p>
                </>
              )}
              <Folded id="pending" what="whose bills are still to come" items={of('pending')} query={query} />
              <Folded
                id="within-polls"
                what="within the minutes between two polls of the account"
                items={of('withinPolls')}
                query={query}
              />
              {credit.length > 0 && <Credit items={credit} query={query} estimatedUsd={estimatedUsd} />}
            </>
          );
        }}
      </Awaited>
    </section>
  );
}

/** What is true where no difference needs a look; the numbers of those whose bills are missing, and of those between two polls. */
function agreement(pending: number, withinPolls: number): string {
  const folded = pending + withinPolls;
  if (folded === 0)
    return 'Charges agree with their items and with the ledger, Offerbook’s own record of all instances. Balances are compared with the bills once two are recorded.';
  const causes = [
    ...(pending === 0 ? [] : ['bills that are still missing']),
    ...(withinPolls === 0 ? [] : ['the minutes between two polls of the account']),
  ];
  return `No difference needs a look: the ${countOf(folded, 'difference')} below ${folded === 1 ? 'comes' : 'come'} from ${causes.join(', or from ')}.`;
}

interface TableProps {
  items: readonly Item[];
  query: URLSearchParams;
}

/** Differences that need no look, folded behind their number; nothing without any. */
function Folded({ id, what, items, query }: TableProps & { id: string; what: string }) {
  if (items.length === 0) return null;
  return (
    <details class="values" id={id}>
      <summary>
        {countOf(items.length, 'difference')} {what}
      </summary>
      <DifferenceTable label={`Differences: ${what}`} items={items} query={query} />
    </details>
  );
}

const keyOf = ({ kind, subject, from }: Item): string => `${kind}/${subject}/${from}`;

const difference = (head: string, query: URLSearchParams): Column<Item> => ({
  head,
  number: true,
  field: 'differenceUsd',
  value: ({ differenceUsd }) => differenceUsd,
  cell: ({ kind, subject, differenceUsd }) => (
    <Explain query={explainQuery('difference', { kind, subject }, query)}>
      {formatAmount(differenceUsd)}
    </Explain>
  ),
});

function DifferenceTable({ label, items, query }: TableProps & { label: string }) {
  const rows = items.toSorted(
    (a, b) => Number(b.status === 'unexplained') - Number(a.status === 'unexplained'),
  );
  return (
    <FirstRows rows={rows} first="The first" noun="difference">
      {(shown) => (
        <DataTable
          label={label}
          stacks
          tall
          rows={shown}
          keyOf={keyOf}
          columns={[
            { head: 'Compared', heads: true, cell: subjectOf },
            { head: 'From', cell: ({ from }) => <Moment t={from} relative={false} /> },
            { head: 'Expected', number: true, cell: ({ expectedUsd }) => formatAmount(expectedUsd) },
            { head: 'Actual', number: true, cell: ({ actualUsd }) => formatAmount(actualUsd) },
            difference('Difference', query),
            {
              head: 'Reason',
              cell: ({ reason }) => <span class="wrapped long">{sentenceCase(ownMoments(reason))}</span>,
            },
          ]}
        />
      )}
    </FirstRows>
  );
}

/** What was compared, in words; an instance leads to its page. */
function subjectOf({ kind, subject }: Item) {
  if (kind === 'balances')
    return `Balance from ${subject
      .split(' to ')
      .map((usd) => formatAmount(usd))
      .join(' to ')}`;
  if (subject.startsWith('a charge')) return `${sentenceCase(subject)}, and its items`;
  const id = /^instance-(\d+)$/.exec(subject)?.[1];
  const name = id === undefined ? subject : <a href={`/instances/${id}`}>instance {id}</a>;
  if (kind === 'items') return <>A charge of {name} and its items</>;
  return kind === 'uncharged' ? <>Uncharged time of {name}</> : <>Charges of {name}</>;
}

/** A month, or its days if the range has only some of them. */
function monthOf({ subject, from, to }: Item, timeZone: string): string {
  const [first, last] = [firstDayOf(from, timeZone), lastDayOf(to, timeZone)];
  return isWholeMonth(first, last) ? formatSpendTime(subject) : formatDays(first, last);
}

const isWholeMonth = (first: string, last: string): boolean =>
  first.endsWith('-01') && dayAfter(last).endsWith('-01');

/** What was charged beside what was paid in, month by month: no differences, but credit. */
function Credit({ items, query, estimatedUsd }: TableProps & Pick<Props, 'estimatedUsd'>) {
  const timeZone = query.get('timeZone') ?? 'UTC';
  const inMonths = items.every(({ from, to }) =>
    isWholeMonth(firstDayOf(from, timeZone), lastDayOf(to, timeZone)),
  );
  const title = `Charged consumption and what was paid in${inMonths ? ', by month' : ''}`;
  return (
    <div class="values">
      <DataTable
        label={title}
        caption={title}
        id="credit"
        stacks
        rows={items}
        keyOf={keyOf}
        columns={[
          { head: inMonths ? 'Month' : 'Days', heads: true, cell: (item) => monthOf(item, timeZone) },
          { head: 'Charged', number: true, cell: ({ expectedUsd }) => formatAmount(expectedUsd) },
          { head: 'Paid in', number: true, cell: ({ actualUsd }) => formatAmount(actualUsd) },
          difference('Added to credit', query),
        ]}
      />
      <p class="caption">
        {countedWords(estimatedUsd)} An account that pays in advance has credit: what was paid in and not used
        is added to it, and negative amounts came out of it. To have the credit checked against the bills,
        record the balance below, twice or more.
      </p>
    </div>
  );
}

/** Returns what the months count: what is only estimated, in the sum at the top, is left out. */
const countedWords = (estimatedUsd: string | null): string =>
  `Only charges in the range shown count${estimatedUsd === null ? '' : `: ${formatAmount(estimatedUsd)} estimated, not charged so far, is left out`}.`;
