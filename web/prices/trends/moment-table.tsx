import type { ComponentChildren } from 'preact';
import type { Bucket } from '../../core/api.ts';
import { bucketTitle, formatBucket } from '../../core/times.ts';
import { Explain } from '../../parts/explain.tsx';

/** A figure in each row. */
export interface MomentColumn<Point> {
  /** Its name in the API's response. */
  field: keyof Point & string;
  head: string;
  title?: string;
  format: (point: Point) => string;
}

interface Props<Point> {
  caption: ComponentChildren;
  /** Name of the rows' moments. */
  moment: string;
  bucket: Bucket;
  points: readonly Point[];
  columns: readonly MomentColumn<Point>[];
  /** Returns the query that explains a moment's point. @default none */
  explain?: (t: string) => string;
}

/** Figures by moment, newest first. Cells have the API's number in `data-value` and its name in `data-field`. */
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
