import { formatMoment, formatUtc } from '../core/times.ts';

/** A moment in the reader's own time zone, in UTC on hover; null: not known. */
export function Moment({ t, none = '–' }: { t: string | null; none?: string }) {
  if (t === null) return <>{none}</>;
  return (
    <time dateTime={t} title={formatUtc(t)}>
      {formatMoment(t)}
    </time>
  );
}
