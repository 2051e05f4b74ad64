import { useState } from 'preact/hooks';
import type { Report, Watch } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { countOf, formatUsd } from '../core/figures.ts';
import { columnDecimals, unitWords } from '../core/metrics.ts';
import { scheduleInWords } from '../core/schedules.ts';
import { useAction } from '../core/use-action.ts';
import { Country } from '../parts/country.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Explain, explainQuery } from '../parts/explain.tsx';
import { Failure } from '../parts/failure.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { ListingLink } from '../parts/listing-link.tsx';
import { Moment } from '../parts/moment.tsx';
import { NoAccount } from '../parts/no-account.tsx';
import { Notice } from '../parts/notice.tsx';
import { SendReport } from './send-report.tsx';
import { watchQuery } from './watch-fields.ts';

/** Preview of a watch's report, and a button to send it now. */
export function WatchReport({ app, watch }: { app: App; watch: Watch }) {
  const [report, setReport] = useState<Report | null>(null);
  const action = useAction(app);
  return (
    <section class="card" aria-label="Report" id="watch-report">
      <h2>
        Report
        <small>
          {watch.reportSchedule === null
            ? 'sent on request'
            : `sent ${scheduleInWords(watch.reportSchedule.cron, watch.reportSchedule.timeZone)}`}
        </small>
      </h2>
      <p class="row">
        <button
          type="button"
          disabled={action.busy}
          onClick={() =>
            void action.run(async () => {
              setReport((await app.api.createWatchReport({ id: watch.id, body: {} })).report);
              return undefined;
            })
          }
        >
          Preview
        </button>
        <SendReport app={app} watch={watch} sent={setReport} />
      </p>
      <Failure problem={action.problem} />
      {report !== null && <Shown report={report} watch={watch} />}
    </section>
  );
}

type Item = Report['items'][number];

const changes: Record<string, { icon: IconName; text: string; class: string }> = {
  new: { icon: 'plus', text: 'new', class: '' },
  up: { icon: 'dear', text: 'more expensive', class: 'rose' },
  down: { icon: 'good', text: 'cheaper', class: 'fell' },
  same: { icon: 'unchanged', text: 'unchanged', class: 'soft' },
};

function Shown({ report, watch }: { report: Report; watch: Watch }) {
  const explain = ({ listingId, market }: Item) =>
    explainQuery('ranking', { listingId, market, by: watch.rankBy }, watchQuery(watch));
  const { availability, items, gone, since, observedAt, trends, waits, books, unranked } = report;
  const isPlural = books.length > 1;
  const decimals = columnDecimals(
    report.by,
    items.map(({ value }) => value),
  );
  const inMarket = (market: string) => (isPlural ? `${market}: ` : '');
  if (observedAt === null) return <Notice title="No book yet">The report says so.</Notice>;
  return (
    <>
      <p class="caption" role="status" data-availability={availability.offers}>
        {countOf(availability.offers, 'offer')} match now: {countOf(availability.gpus, 'GPU')} on{' '}
        {countOf(availability.machines, 'machine')}. Offers matched on{' '}
        {countOf(availability.daysOfLast30, 'day')} of the last 30.{' '}
        {books.map(({ market, observedAt: t, offers }, place) => (
          <span key={market} data-market={market} data-offers={offers}>
            {place > 0 && '; '}
            {inMarket(market)}
            {t === null ? (
              'no book yet'
            ) : (
              <>
                Book of <Moment t={t} />
              </>
            )}
          </span>
        ))}
        {since === null ? '; no earlier report' : ', changes since '}
        {since !== null && <Moment t={since} />}. <span data-ranking>{report.ranking}</span>
        {unranked.map(({ reason, offers }) => ` ${countOf(offers, 'offer')} not ranked: ${reason}.`)}
      </p>
      {items.length > 0 && (
        <DataTable
          label="Offers of the report"
          id="report-table"
          stacks
          rows={items}
          keyOf={({ listingId }) => listingId}
          columns={[
            { head: '#', number: true, cell: ({ rank }) => rank },
            {
              head: 'GPU',
              heads: true,
              cell: ({ gpuName, numGpus, listingId }) => (
                <ListingLink listingId={listingId} gpuName={gpuName} numGpus={numGpus} />
              ),
            },
            ...(isPlural
              ? [
                  {
                    head: 'Market',
                    field: 'market',
                    value: ({ market }: Item) => market,
                    cell: ({ market, canRent }: Item) =>
                      canRent ? (
                        market
                      ) : (
                        <>
                          {market} <NoAccount market={market} />
                        </>
                      ),
                  },
                ]
              : []),
            {
              head: unitWords(report.unit),
              number: true,
              field: 'value',
              value: ({ value }) => value,
              cell: (item) => <Explain query={explain(item)}>{formatUsd(item.value, decimals)}</Explain>,
            },
            {
              head: '$/hour',
              number: true,
              cell: (item) => <Explain query={explain(item)}>{formatUsd(item.usdPerHour)}</Explain>,
            },
            {
              head: 'Since the last report',
              cell: ({ change, previousUsdPerHour }) => {
                const said = change === null ? undefined : changes[change];
                if (said === undefined) return '–';
                return (
                  <span class={said.class}>
                    <Icon name={said.icon} /> {said.text}
                    {previousUsdPerHour !== null &&
                      change !== 'same' &&
                      `, was ${formatUsd(previousUsdPerHour)}`}
                  </span>
                );
              },
            },
            { head: 'Verification', cell: ({ verification }) => verification ?? 'not stated' },
            { head: 'Country', cell: ({ country }) => <Country code={country} /> },
          ]}
        />
      )}
      {trends.map(({ market, gpuName, type, sentences }) => (
        <p key={`${market} ${type} ${gpuName}`} class="caption" data-outlook={gpuName}>
          <strong>
            {inMarket(market)}
            {gpuName}, {type}.
          </strong>{' '}
          {sentences.join(' ')}
        </p>
      ))}
      {waits.map(({ market, sentence }) => (
        <p key={market} class="caption">
          {sentence}
        </p>
      ))}
      {gone.length > 0 && (
        <p class="caption">
          Gone since:{' '}
          {gone
            .map(
              (one) =>
                `${inMarket(one.market)}${one.gpuName} × ${one.numGpus} at ${formatUsd(one.usdPerHour)}`,
            )
            .join('; ')}
          .
        </p>
      )}
    </>
  );
}
