import { formatMoment, formatRelative, formatUtc } from '../core/times.ts';

interface Props {
  t: string | null;
  /** Shown for null. */
  none?: string;
  /** Whether to show the relative time too, `20 Jul 2026, 07:19 (3 h ago)`. @default true */
  relative?: boolean;
}

/** A moment in the reader's time zone; hover shows UTC and relative time. */
export function Moment({ t, none = '–', relative = true }: Props) {
  if (t === null) return <>{none}</>;
  return (
    <time dateTime={t} title={`${formatUtc(t)}, ${formatRelative(t)}`}>
      {formatMoment(t)}
      {relative && <span class="soft wide"> ({formatRelative(t)})</span>}
    </time>
  );
}
