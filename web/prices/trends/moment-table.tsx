import type { ComponentChildren } from 'preact';
import type { Bucket } from '../../core/api.ts';
import { bucketTitle, formatBucket } from '../../core/times.ts';
import { Explain } from '../../parts/explain.tsx';

/** A figure of each moment. */
export interface MomentColumn<Point> {
  /** Its name in the API's answer. */
  field: keyof Point & string;
  head: string;
  title?: string;
  /** As it is read. */
  format: (point: Point) => string;
}

interface Props<Point> {
  caption: ComponentChildren;
  /** What one moment is. */
  moment: string;
  bucket: Bucket;
  points: readonly Point[];
  columns: readonly MomentColumn<Point>[];
  /** What explains the point of a moment. @default nothing does */
  explain?: (t: string) => string;
}

/** Figures by moment, newest first. Every cell carries the API's own number in `data-value`, its name in `data-field`. */
export function MomentTable<Point extends { t: string }>({
  caption,
  moment,
  bucket,
  points,
  columns,
  explain,
}: Props<Point>) {
  return (
    <table id="trend-values">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{moment}</th>
          {columns.map(({ field, head, title }) => (
            <th scope="col" class="number" key={field} title={title}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {points.toReversed().map((point) => (
          <tr key={point.t} data-t={point.t}>
            <th scope="row">
              <Explain query={explain?.(point.t) ?? null}>
                <time dateTime={point.t} title={bucketTitle(point.t, bucket)}>
                  {formatBucket(point.t, bucket)}
                </time>
              </Explain>
            </th>
            {columns.map(({ field, format }) => (
              <td key={field} class="number" data-field={field} data-value={point[field] as number | null}>
                {format(point)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
