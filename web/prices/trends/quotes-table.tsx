import type { ComponentChildren } from 'preact';
import type { Bucket } from '../../core/api.ts';
import { bucketTitle, formatBucket } from '../../core/times.ts';
import { Scroll } from '../../parts/scroll.tsx';

interface Props {
  /** The moment of the figures; undefined: there are none. */
  t: string | undefined;
  bucket: Bucket;
  newest: boolean;
  heads: readonly { label: string; title?: string }[];
  /** One row per line of the chart. */
  children: ComponentChildren;
}

/** A chart's legend with the figures of one moment. */
export function QuotesTable({ t, bucket, newest, heads, children }: Props) {
  return (
    <Scroll label="Chart values">
      <table class="quotes compact" data-point={t}>
        <thead>
          <tr>
            <th scope="col">
              {t === undefined ? (
                'No data'
              ) : (
                <>
                  {newest && <span class="wide">Newest: </span>}
                  <time dateTime={t} title={bucketTitle(t, bucket)}>
                    {formatBucket(t, bucket)}
                  </time>
                </>
              )}
            </th>
            {heads.map(({ label, title }) => (
              <th key={label} scope="col" class="number" title={title}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Scroll>
  );
}

/** The name of a line with a sample of its style. */
export const LineName = ({ label, color, dashed }: { label: string; color: number; dashed?: boolean }) => (
  <th scope="row">
    <i class={`swatch s${color % 6}${dashed ? ' dashed' : ''}`} />
    {label}
  </th>
);
