import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { countOf } from '../core/figures.ts';

interface Props<T> {
  rows: readonly T[];
  /** What the rows in sight are: `The cheapest`. */
  first: string;
  noun: string;
  children: (shown: readonly T[]) => ComponentChildren;
}

const shownAtOnce = 10;
const shownMore = 50;

/** The first rows of a long list that is loaded already, and a button for more of them. */
export function FirstRows<T>({ rows, first, noun, children }: Props<T>) {
  const [count, setCount] = useState(shownAtOnce);
  return (
    <>
      {children(rows.slice(0, count))}
      {rows.length > count && (
        <p class="more">
          <button type="button" onClick={() => setCount(count + shownMore)}>
            Show more
          </button>
          <span class="soft">
            {first} {count} of {countOf(rows.length, noun)}.
          </span>
        </p>
      )}
    </>
  );
}
