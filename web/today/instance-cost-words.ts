import type { Instance, Instances } from '../core/api.ts';
import { countOf, formatAmount } from '../core/figures.ts';
import { formatMoment } from '../core/times.ts';
import { billedUsd, isStarting, nameOf } from '../rentals/instances/instance-rows.ts';

/** How many ends are named each. */
const maxNamed = 2;

/** Returns what the burn rate counts: the instances, those of unknown price, and that starting ones count in full. */
export function burnWords({ items, unpriced }: Pick<Instances, 'items' | 'unpriced'>): string {
  const starting = items.filter(isStarting).length;
  return [
    countOf(items.length, 'instance'),
    ...(unpriced === 0 ? [] : [`${unpriced} with unknown price`]),
    ...(starting === 0
      ? []
      : [
          `${starting} starting, counted as running (${formatAmount(billedUsd(items), 4)}/hour is billed now)`,
        ]),
  ].join(', ');
}

/** Returns which running instances are known to end before a moment, as sentences; empty: none is. */
export function knownEndWords(items: readonly Instance[], before: string): string {
  const ends = items.flatMap((instance) => {
    if (instance.usdPerHour === null || Number(instance.usdPerHour) === 0) return [];
    const known = [
      { at: instance.hostEndsAt, of: 'host' },
      { at: instance.endsAt, of: 'limit' },
    ].flatMap(({ at, of }) => (at === null ? [] : [{ at, of }]));
    const [first] = known.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
    return first === undefined || Date.parse(first.at) >= Date.parse(before)
      ? []
      : [{ ...first, name: nameOf(instance) }];
  });
  if (ends.length === 0) return '';
  const sorted = ends.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const named = sorted
    .slice(0, maxNamed)
    .map(({ at, of, name }) =>
      of === 'host'
        ? `the host of ${name} ends its offer ${formatMoment(at)}`
        : `a limit ends ${name} ${formatMoment(at)}`,
    );
  const others = sorted.length - named.length;
  return `. But ${named.join(', ')}${others === 0 ? '' : `, and ${countOf(others, 'other instance')} will end before`}`;
}
