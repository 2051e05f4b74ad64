import { countBelow } from '../../core/count-below.ts';
import type { Turns } from '../../core/turns.ts';
import type { Picked, SpanColumns } from '../statistics/span-columns.ts';
import { distinctValues, type RankedValues } from '../statistics/weighted-pool.ts';

/** Returns the indexes of matching spans, letting other work run in between. */
export async function pickInTurns(
  length: number,
  isPicked: (place: number) => boolean,
  turns: Turns,
): Promise<Picked> {
  const places = new Int32Array(length);
  let count = 0;
  await turns.over(length, (from, to) => {
    for (let place = from; place < to; place += 1) {
      if (!isPicked(place)) continue;
      places[count] = place;
      count += 1;
    }
  });
  return places.subarray(0, count);
}

/** Does the work of `rankValues`, letting other work run in between. */
export async function rankInTurns(spans: SpanColumns, picked: Picked, turns: Turns): Promise<RankedValues> {
  await turns.pass();
  const sorted = distinctValues(spans, picked);
  await turns.pass();
  const rank = new Int32Array(picked.length);
  await turns.over(picked.length, (from, to) => {
    for (let index = from; index < to; index += 1) {
      const value = spans.value[picked[index] as number] as number;
      rank[index] = Number.isNaN(value) ? -1 : countBelow(sorted, value);
    }
  });
  return { sorted, rank };
}
