import { useContext } from 'preact/hooks';
import { OwnTime } from '../core/own-time.ts';
import { formatExpected, formatInRecord, formatMoment, formatRelative, formatUtc } from '../core/times.ts';

interface Props {
  t: string | null;
  /** Shown for null. */
  none?: string;
  /** Whether to show the relative time too, `20 Jul 2026, 07:19 (3 h ago)`. @default true */
  relative?: boolean;
  /** Whether something is expected at that moment: `in 3 h`, or `due now` once the moment has passed. @default false */
  expected?: boolean;
  /** Whether its minute is not enough. @default false */
  seconds?: boolean;
}

/** A moment in the reader's time zone; hover shows UTC and relative time, of a recorded market by its newest book. */
export function Moment({ t, none = '–', relative = true, expected = false, seconds = false }: Props) {
  const newest = useContext(OwnTime);
  if (t === null) return <>{none}</>;
  const words = expected ? formatExpected(t) : agoWords(t, newest);
  return (
    <time dateTime={t} title={`${formatUtc(t)}, ${words}`}>
      {formatMoment(t, seconds)}
      {relative && (
        // Hidden with its space: what follows may be a full stop.
        <span class="wide">
          {' '}
          <span class="soft">({words})</span>
        </span>
      )}
    </time>
  );
}

const agoWords = (t: string, newest: string | null): string =>
  newest === null ? formatRelative(t) : formatInRecord(t, newest);

/** How long ago a moment was, `3 min ago`, of a recorded market by its newest book; hover shows the moment. */
export function Ago({ t }: { t: string | null }) {
  const newest = useContext(OwnTime);
  if (t === null) return <>–</>;
  return (
    <time dateTime={t} title={formatMoment(t)}>
      {agoWords(t, newest)}
    </time>
  );
}
