import { countOf } from '../../core/figures.ts';
import { formatMoment } from '../../core/times.ts';
import { Icon } from '../../parts/icon.tsx';
import { groupMarks, type Mark, type MarkGroup, markPixel } from './trend-marks.ts';

interface Props {
  marks: readonly Mark[];
  pixelOf: (t: number) => number;
  range: { from: number; to: number };
}

/** The reader’s rentals and alerts, marked at their times; each links to its view. */
export function ChartMarks({ marks, pixelOf, range }: Props) {
  return (
    <>
      {groupMarks(marks, range).map((group) => (
        <a
          key={`${group.kind}${group.t}`}
          class={`mark ${group.kind}`}
          href={group.href}
          title={wordsOf(group)}
          aria-label={wordsOf(group)}
          data-t={new Date(group.t).toISOString()}
          style={{ transform: `translateX(${markPixel(pixelOf(group.t), pixelOf(range.to))}px)` }}
        >
          {group.texts.length > 1 ? group.texts.length : letters[group.kind]}
        </a>
      ))}
    </>
  );
}

/** What the marks drawn in a range mean, over them; `top`: of the lower part of the chart, null: it has none. */
export function MarkLegend({ marks, range, top }: Omit<Props, 'pixelOf'> & { top: number | null }) {
  const drawn = new Set(groupMarks(marks, range).map(({ kind }) => kind));
  return (
    <span class="mark-legend" style={{ transform: `translateY(${top ?? 0}px)` }}>
      {(['rental', 'alert'] as const)
        .filter((kind) => drawn.has(kind))
        .map((kind) => (
          <span key={kind} data-means={kind}>
            <i class={kind} aria-hidden="true">
              {letters[kind]}
            </i>{' '}
            {kind}
          </span>
        ))}
    </span>
  );
}

const letters = { rental: 'R', alert: '!' } as const;

/** Says at the upper edge of a chart where a line or a band goes on above it. */
export const CutMarks = ({ times, pixelOf, range }: Omit<Props, 'marks'> & { times: readonly number[] }) => (
  <>
    {times
      .filter((t) => t >= range.from && t <= range.to)
      .map((t) => (
        <span
          key={t}
          class="beyond"
          title="Cut off: this price is above the chart, which follows the others"
          data-cut={new Date(t).toISOString()}
          style={{ transform: `translateX(${pixelOf(t)}px)` }}
        >
          <Icon name="dear" />
        </span>
      ))}
  </>
);

const maxNamed = 6;

function wordsOf({ t, texts, kind }: MarkGroup): string {
  const more = texts.length - maxNamed;
  const named = texts.slice(0, maxNamed).join('\n');
  const head =
    texts.length > 1 ? `${countOf(texts.length, kind)} from ${formatMoment(t)} on` : formatMoment(t);
  return `${head}: ${named}${more > 0 ? `\nand ${more} more` : ''}`;
}
