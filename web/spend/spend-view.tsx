import { compareSpendWithMarket, getSpend } from '../../client/operations.js';
import type { Spend } from '../core/api.ts';
import definitions from '../core/definitions.json' with { type: 'json' };
import { formatAmount } from '../core/figures.ts';
import { pathTo, valuesOf } from '../core/path-to.ts';
import { sentenceCase } from '../core/sentence-case.ts';
import { getNow } from '../core/server-time.ts';
import { formatDateField } from '../core/times.ts';
import { useAnswer } from '../core/use-answer.ts';
import { Allowed } from '../parts/allowed.tsx';
import { Choice, Select } from '../parts/choice.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Explain, explainQuery } from '../parts/explain.tsx';
import { Moment } from '../parts/moment.tsx';
import { Awaited } from '../parts/notice.tsx';
import type { ViewProps } from '../parts/view.ts';
import { ViewHead } from '../parts/view-head.tsx';
import { AgainstMarket } from './against-market.tsx';
import { BalanceForm } from './balance-form.tsx';
import { Budgets } from './budgets.tsx';
import { Differences } from './differences.tsx';
import { GroupName } from './group-name.tsx';
import { OverTime } from './over-time.tsx';
import { RangeFields } from './range-fields.tsx';
import { SavedAnswer } from './saved-answer.tsx';
import { SheetLinks } from './sheet-links.tsx';
import { SpendExports } from './spend-exports.tsx';
import { defaultPeriod, formatSpan, spendPeriods } from './spend-periods.ts';
import { basisWords, categoryWords, hasBills, roundedWords, signedUsd } from './spend-words.ts';

const units = [
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
] as const;
const recording = { to: 'record the balance' };
/** Parameters of the time range. */
const rangeNames = ['from', 'to'] as const;

/** Spend: stacked over time and by group, estimated beside charged. */
export function SpendView({ app }: ViewProps) {
  const { query } = app.address.place.value;
  const { change } = app.address;
  const unit = units.find(({ value }) => value === query.get('unit'))?.value ?? 'day';
  const group = query.get('group') ?? 'service';
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const shared = new URLSearchParams({ timeZone });
  for (const name of rangeNames) {
    const value = query.get(name);
    if (value !== null) shared.set(name, value);
  }
  const periods = spendPeriods(formatDateField(new Date(getNow()).toISOString(), timeZone));
  const isDefault = rangeNames.every((name) => query.get(name) === null);
  const period = isDefault
    ? defaultPeriod
    : periods.find(({ from, to }) => from === query.get('from') && to === query.get('to'))?.value;
  const range = { timeZone, ...valuesOf(query, rangeNames) };
  const overTime = useAnswer(app, pathTo(getSpend, { groupBy: unit, stackBy: group, ...range }));
  const inAll = useAnswer(app, pathTo(getSpend, { groupBy: group, ...range }));
  const vsMarket = useAnswer(app, pathTo(compareSpendWithMarket, range));
  const billsKnown = inAll.data === null ? null : hasBills(inAll.data);
  return (
    <>
      <ViewHead title="Spend">
        <SpendExports
          query={shared}
          group={group}
          period={overTime.data === null ? null : formatSpan(overTime.data.from, overTime.data.to, timeZone)}
        />
        <form class="choosers" aria-label="Spend options" onSubmit={(event) => event.preventDefault()}>
          <Choice
            legend="Period"
            name="period"
            options={periods}
            chosen={period ?? null}
            choose={(value) => {
              const chosen = periods.find((each) => each.value === value);
              if (value === defaultPeriod) change({ from: null, to: null });
              else if (chosen !== undefined) change({ from: chosen.from, to: chosen.to });
            }}
          />
          <RangeFields
            app={app}
            from={query.get('from') ?? overTime.data?.from ?? null}
            to={query.get('to') ?? overTime.data?.to ?? null}
            timeZone={timeZone}
          />
          <Choice
            legend="Interval"
            name="unit"
            options={units}
            chosen={unit}
            choose={(value) => change({ unit: value === 'day' ? null : value })}
          />
          <Select
            label="Group by"
            name="group"
            options={definitions.spendGroupings.map(({ value, label }) => ({
              value,
              label: sentenceCase(label),
            }))}
            value={group}
            choose={(value) => change({ group: value === 'service' ? null : value })}
          />
        </form>
      </ViewHead>
      <section class="card" aria-label="Spend over time" id="spend">
        <Awaited answer={overTime} what="the spend">
          {(spend) => (
            <OverTime app={app} spend={spend} unit={unit} group={group} asked={shared}>
              {vsMarket.problem === null && <SavedAnswer compared={vsMarket.data} />}
            </OverTime>
          )}
        </Awaited>
      </section>
      {inAll.data?.items.length !== 0 && (
        <section class="card" aria-label="Spend by group" id="spend-groups">
          <Awaited answer={inAll} what="spend by group">
            {(spend) => <ByGroup spend={spend} group={group} asked={shared} />}
          </Awaited>
        </section>
      )}
      <Budgets app={app} />
      <AgainstMarket answer={vsMarket} query={shared} hasBills={billsKnown} />
      <Differences
        app={app}
        query={shared}
        hasBills={billsKnown}
        estimatedUsd={inAll.data?.totals.find(({ basis }) => basis === 'estimated')?.amountUsd ?? null}
      />
      <SheetLinks app={app} group={group} timeZone={timeZone} />
      <section class="card" aria-label="Balance" id="balance">
        <Awaited answer={inAll} what="the balance">
          {({ balance }) => (
            <>
              <h2>Balance</h2>
              <p>
                {balance.amountUsd === null ? (
                  balance.reason
                ) : (
                  <>
                    <strong data-field="amountUsd" data-value={balance.amountUsd}>
                      <Explain query={explainQuery('balance', {})}>{formatAmount(balance.amountUsd)}</Explain>
                    </strong>{' '}
                    on <Moment t={balance.at} />, calculated from the balance you entered and all entries
                    since.
                  </>
                )}
              </p>
              <Allowed app={app} permission={recording}>
                <BalanceForm app={app} entered={inAll.reload} />
              </Allowed>
            </>
          )}
        </Awaited>
      </section>
    </>
  );
}

interface ShownProps {
  spend: Spend;
  group: string;
  /** Range and time zone. */
  asked: URLSearchParams;
}

function ByGroup({ spend, group, asked }: ShownProps) {
  const rounded = roundedWords(spend);
  return (
    <>
      <DataTable
        label="Spend by group"
        id="spend-table"
        stacks
        rows={spend.items}
        keyOf={({ key, category, basis }) => `${key}/${category}/${basis}`}
        columns={[
          {
            head: sentenceCase(
              definitions.spendGroupings.find(({ value }) => value === group)?.label ?? group,
            ),
            heads: true,
            cell: ({ key }) => (
              <GroupName grouping={group} value={key} instances={spend.instances} withLink />
            ),
          },
          {
            head: 'Kind',
            cell: ({ category, basis }) =>
              `${categoryWords[category]}${basis === 'estimated' ? `, ${basisWords[basis]}` : ''}`,
          },
          { head: 'Entries', number: true, cell: ({ entries }) => entries },
          {
            head: 'Amount',
            number: true,
            field: 'amountUsd',
            value: ({ amountUsd }) => amountUsd,
            cell: ({ key, category, basis, amountUsd }) => (
              <Explain
                query={explainQuery('spend', { groupBy: group, key: key ?? '', category, basis }, asked)}
              >
                {formatAmount(signedUsd({ category, amountUsd }))}
              </Explain>
            ),
          },
        ]}
      />
      {rounded !== null && (
        <p class="caption" data-rounded>
          {rounded}
        </p>
      )}
    </>
  );
}
