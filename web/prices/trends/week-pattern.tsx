import { useState } from 'preact/hooks';
import { getPatterns } from '../../../client/operations.js';
import type { Patterns } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { countOf, formatPercent, formatPrice, formatUsd } from '../../core/figures.ts';
import { dateFormat } from '../../core/formats.ts';
import { pathTo, valuesOf } from '../../core/path-to.ts';
import { useAnswer } from '../../core/use-answer.ts';
import { Explain, explainQuery } from '../../parts/explain.tsx';
import { choiceNames } from '../../parts/filter-fields.ts';
import { Awaited, Notice } from '../../parts/notice.tsx';
import { Scroll } from '../../parts/scroll.tsx';

interface Props {
  app: App;
  /** Path of one model's trend, whose range and filters also apply here. */
  path: string;
}

/** When in the week a model is cheapest, loaded when opened; `market` names it where several are shown. */
export function WeekPattern({ app, path, market }: Props & { market: string | null }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="pattern" data-market={market} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Cheapest hours of the week{market !== null && ` · ${market}`}</summary>
      {open && <Week app={app} path={path} />}
    </details>
  );
}

const patternNames = [...choiceNames, 'from', 'to', 'timeZone'] as const;
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

function Week({ app, path }: Props) {
  const asked = new URLSearchParams(path.split('?')[1]);
  for (const name of ['metric', 'bucket']) asked.delete(name);
  asked.set('timeZone', timeZone);
  const answer = useAnswer(app, pathTo(getPatterns, valuesOf(asked, patternNames)), app.landed.value);
  return (
    <Awaited answer={answer} what="the week">
      {(patterns) => <Hours patterns={patterns} asked={asked} />}
    </Awaited>
  );
}

const weekdays = [1, 2, 3, 4, 5, 6, 7];
const hours = Array.from({ length: 24 }, (_, hour) => hour);
// 1 January 2024 was a Monday.
const nameOfDay = (weekday: number, weekdayStyle: 'short' | 'long') =>
  dateFormat({ weekday: weekdayStyle, timeZone: 'UTC' }).format(Date.UTC(2024, 0, weekday));

function Hours({ patterns, asked }: { patterns: Patterns; asked: URLSearchParams }) {
  const { hoursOfWeek, cheapestHour, neededHours, volatilityPercent, days } = patterns;
  const explain = (weekday: number, hour: number) =>
    explainQuery('week', { weekday: `${weekday}`, hour: `${hour}` }, asked);
  const medians = hoursOfWeek.flatMap(({ median }) => (median === null ? [] : [median]));
  if (medians.length === 0) {
    return <Notice title="No complete book in this range">Choose a longer range.</Notice>;
  }
  const [lowest, highest] = [Math.min(...medians), Math.max(...medians)];
  const byHour = new Map(hoursOfWeek.map((each) => [`${each.weekday} ${each.hour}`, each.median]));
  return (
    <>
      <p class="caption" data-cheapest={cheapestHour && `${cheapestHour.weekday} ${cheapestHour.hour}`}>
        {cheapestHour === null ? (
          <>
            Too early to name a cheapest hour: that needs prices of the same hour in {neededHours} weeks, and
            so far there are prices of {Math.max(...hoursOfWeek.map(({ hours }) => hours))} at most.{' '}
          </>
        ) : (
          <>
            Cheapest on {nameOfDay(cheapestHour.weekday, 'long')} from {cheapestHour.hour}:00, median{' '}
            <Explain query={explain(cheapestHour.weekday, cheapestHour.hour)}>
              {formatUsd(cheapestHour.median)} of {countOf(cheapestHour.hours, 'hour')}
            </Explain>{' '}
            per GPU-hour; the highest is {formatUsd(highest)} of{' '}
            {countOf(hoursOfWeek.find(({ median }) => median === highest)?.hours ?? 0, 'hour')}.{' '}
          </>
        )}
        {volatilityPercent !== null && (
          <span data-field="volatilityPercent" data-value={volatilityPercent}>
            Daily volatility of the median:{' '}
            <Explain query={explainQuery('volatility', {}, asked)}>
              {formatPercent(volatilityPercent, 1)} ({days} days)
            </Explain>
            .{' '}
          </span>
        )}
        Times in {patterns.timeZone}.
      </p>
      <Scroll label="Median by hour of the week">
        <table class="week">
          <thead>
            <tr>
              <th scope="col">
                <span class="hidden">Day</span>
              </th>
              {hours.map((hour) => (
                <th key={hour} scope="col">
                  {hour}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weekdays.map((weekday) => (
              <tr key={weekday}>
                <th scope="row">{nameOfDay(weekday, 'short')}</th>
                {hours.map((hour) => (
                  <Hour
                    key={hour}
                    median={byHour.get(`${weekday} ${hour}`) ?? null}
                    share={((byHour.get(`${weekday} ${hour}`) ?? highest) - lowest) / (highest - lowest || 1)}
                    explain={explain(weekday, hour)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

interface HourProps {
  median: number | null;
  share: number;
  explain: string;
}

/** An hour's price, in a stronger color for cheaper ones. */
function Hour({ median, share, explain }: HourProps) {
  if (median === null) return <td class="soft">–</td>;
  const strength = Math.round((1 - share) * 40);
  return (
    <td
      data-value={median}
      style={{ background: `color-mix(in srgb, var(--accent) ${strength}%, transparent)` }}
    >
      <Explain query={explain}>{formatPrice(median)}</Explain>
    </td>
  );
}
