import type { App } from '../core/app.ts';
import { dayAfter, firstDayOf, lastDayOf } from './spend-periods.ts';

interface Props {
  app: App;
  /** As in the address or the answer: the beginning, and the end that is not included; null: not known yet. */
  from: string | null;
  to: string | null;
  timeZone: string;
}

/** The first and the last day of the range, both included; the address has the day after the last. */
export function RangeFields({ app, from, to, timeZone }: Props) {
  const { change } = app.address;
  return (
    <>
      <label class="field">
        <span>From</span>
        <input
          type="date"
          name="from"
          value={firstDayOf(from, timeZone)}
          onChange={({ currentTarget }) => change({ from: currentTarget.value })}
        />
      </label>
      <label class="field">
        <span>To, inclusive</span>
        <input
          type="date"
          name="to"
          min={firstDayOf(from, timeZone)}
          value={lastDayOf(to, timeZone)}
          onChange={({ currentTarget }) => change({ to: dayAfter(currentTarget.value) })}
        />
      </label>
    </>
  );
}
