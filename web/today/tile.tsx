import type { ComponentChildren } from 'preact';
import type { Answer } from '../core/use-answer.ts';

interface Figure {
  value: ComponentChildren;
  /** What it rests on. */
  basis: ComponentChildren;
  isBad?: boolean;
}

interface Props<T> {
  name: string;
  label: string;
  /** The view that shows it. */
  href: string;
  answer: Answer<T>;
  figure: (data: T) => Figure;
}

/** A figure with its label and basis, of the same height while it loads. */
export function Tile<T>({ name, label, href, answer, figure }: Props<T>) {
  const { data, problem, loading, reload } = answer;
  const shown = data === null ? null : figure(data);
  return (
    <div
      class={shown?.isBad === true ? 'bad' : undefined}
      data-tile={name}
      data-awaited={data === null && problem === null}
      aria-busy={loading}
    >
      <dt>
        <a href={href}>{label}</a>
      </dt>
      <dd>{shown?.value ?? (problem === null ? '…' : 'unknown')}</dd>
      <dd class="soft">
        {problem === null
          ? (shown?.basis ?? 'Loading…')
          : [
              `${problem.title}. `,
              <button key="again" type="button" class="small" onClick={reload}>
                Try again
              </button>,
            ]}
      </dd>
    </div>
  );
}
