import { formatMoment } from '../core/times.ts';

/** Something that happened, marked on the time axis. */
export interface Mark {
  /** Milliseconds. */
  t: number;
  kind: 'rental' | 'alert';
  text: string;
  href: string;
}

interface Props {
  marks: readonly Mark[];
  pixelOf: (t: number) => number;
  range: { from: number; to: number };
}

/** The marks of what the reader did and was told, at their times; each leads to its view. */
export function ChartMarks({ marks, pixelOf, range }: Props) {
  return (
    <>
      {marks
        .filter(({ t }) => t >= range.from && t <= range.to)
        .map(({ t, kind, text, href }) => (
          <a
            key={`${kind}${t}${text}`}
            class={`mark ${kind}`}
            href={href}
            title={`${formatMoment(t)}: ${text}`}
            aria-label={`${formatMoment(t)}: ${text}`}
            style={{ transform: `translateX(${pixelOf(t)}px)` }}
          >
            {kind === 'rental' ? 'R' : '!'}
          </a>
        ))}
    </>
  );
}
