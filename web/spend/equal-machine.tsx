import type { VsMarket } from '../core/api.ts';
import { Moment } from '../parts/moment.tsx';
import { equalWords } from './above-words.ts';

type Item = VsMarket['items'][number];

/** An equal machine that was cheaper: at which price, since when, and how much less it would have been. */
export function EqualMachine({
  equal,
  type,
}: {
  equal: NonNullable<Item['cheaperEqual']>;
  type: Item['type'];
}) {
  const { before, after } = equalWords(equal, type);
  return (
    <>
      {before} <Moment t={equal.since} relative={false} />
      {after}
    </>
  );
}
