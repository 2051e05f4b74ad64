import type { Instance, Instances } from '../core/api.ts';
import { countOf } from '../core/figures.ts';
import { formatMoment } from '../core/times.ts';
import { nameOf, startingWords } from '../rentals/instances/instance-rows.ts';

/** Returns what the burn rate counts: the instances, those of unknown price, and what is billed while some start. */
export function burnWords({ items, unpriced }: Pick<Instances, 'items' | 'unpriced'>): string {
  const starting = startingWords(items);
  return [
    countOf(items.length, 'instance'),
    ...(unpriced === 0 ? [] : [`${unpriced} with unknown price`]),
    ...(starting === null ? [] : [starting]),
  ].join(', ');
}

/** Returns how many running instances are known to end before a moment, and which one first; empty: none is. */
export function knownEndWords(items: readonly Instance[], before: string): string {
  const billed = items.filter(({ usdPerHour }) => Number(usdPerHour ?? 0) > 0);
  const ends = billed
    .flatMap((instance) =>
      [
        { at: instance.hostEndsAt, why: 'its host ends it' },
        { at: instance.endsAt, why: 'its limit' },
      ].flatMap(({ at, why }) => (at === null ? [] : [{ at, why, instance }])),
    )
    .filter(({ at }) => Date.parse(at) < Date.parse(before))
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const [first] = ends;
  if (first === undefined) return '';
  const ending = new Set(ends.map(({ instance }) => instance)).size;
  const which = `${nameOf(first.instance)}${ending > 1 ? ' first' : ''}`;
  return `; ${ending} of ${countOf(billed.length, 'instance')} will end before: ${which}, ${formatMoment(first.at)} (${first.why})`;
}
